"""Gives schemathesis the rules that openapi.yaml states only in words."""

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format(
    "iana-time-zone", strategies.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]))


def needed(schema):
    """The properties that are required in some form of the body."""
    names = set(schema.get("required", []))
    for name, others in schema.get("dependentRequired", {}).items():
        names |= {name, *others}
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, []):
            names |= needed(part)
    return names


def nullable(schema):
    """Allows `null` for optional properties: in a body, it means absent."""
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, []):
            nullable(part)
    if "items" in schema:
        nullable(schema["items"])
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        schema["additionalProperties"] = {"anyOf": [others, {"type": "null"}]}
    properties = schema.get("properties", {})
    for name, part in properties.items():
        nullable(part)
        if name not in needed(schema):
            properties[name] = {"anyOf": [part, {"type": "null"}]}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    components = raw_schema["components"]["schemas"]
    for item in raw_schema["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "requestBody" in operation:
                for media in operation["requestBody"]["content"].values():
                    media["schema"] = inlined(media.get("schema", {}), components)
                    nullable(media["schema"])


def inlined(schema, components):
    """A copy without references, so that schemas shared with responses do not change."""
    if isinstance(schema, list):
        return [inlined(part, components) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        found = inlined(components[schema["$ref"].rsplit("/", 1)[-1]], components)
        return {**found, **{name: part for name, part in schema.items() if name != "$ref"}}
    return {name: inlined(part, components) for name, part in schema.items() if name != "example"}
