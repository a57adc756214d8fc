"""What openapi.yaml says in words about every body and text, said to schemathesis."""

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format(
    "iana-time-zone", strategies.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]))


def needed(schema):
    """The properties that some form of the body must have."""
    names = set(schema.get("required", []))
    for name, others in schema.get("dependentRequired", {}).items():
        names |= {name, *others}
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, []):
            names |= needed(part)
    return names


def nullable(schema):
    """In a body, `null` means absent: every property that need not be there may be null."""
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, []):
            nullable(part)
    if "items" in schema:
        nullable(schema["items"])
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
    """A copy without references, so that what answers share with bodies stays as it is."""
    if isinstance(schema, list):
        return [inlined(part, components) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        found = inlined(components[schema["$ref"].rsplit("/", 1)[-1]], components)
        return {**found, **{name: part for name, part in schema.items() if name != "$ref"}}
    return {name: inlined(part, components) for name, part in schema.items() if name != "example"}
