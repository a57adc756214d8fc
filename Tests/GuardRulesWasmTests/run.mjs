// Answers cases with the rules' WebAssembly module, as a page would.
//   node run.mjs MODULE CASES ANSWERS
// CASES holds 48 bytes a case and ANSWERS gets 12, all little-endian; `Case.swift` names them.
// Prints what the module imports and exports, as JSON.
import { readFile, writeFile } from "node:fs/promises";

const [modulePath, casesPath, answersPath] = process.argv.slice(2);
const caseSize = 48;
const answerSize = 12;

const module = await WebAssembly.compile(await readFile(modulePath));
const { exports: rules } = await WebAssembly.instantiate(module, {});

const file = await readFile(casesPath);
const cases = new DataView(file.buffer, file.byteOffset, file.byteLength);
const count = file.byteLength / caseSize;
const answers = new DataView(new ArrayBuffer(count * answerSize));

for (let index = 0; index < count; index++) {
  const from = index * caseSize;
  const word = (place) => cases.getUint32(from + place, true);
  const long = (place) => cases.getBigInt64(from + place, true);
  const [phone, later, blocking, warning] = [0, 4, 8, 12].map(word);
  const [since, now, skew, freshFor] = [16, 24, 32, 40].map(long);
  const decision = rules.shiftguard_decide(phone, since, now, skew, freshFor, blocking, warning);
  answers.setBigUint64(index * answerSize, decision, true);
  answers.setUint32(index * answerSize + 8, rules.shiftguard_compare(phone, later), true);
}

await writeFile(answersPath, answers);
const names = (list) => list.map(({ name }) => name).sort();
console.log(
  JSON.stringify({
    imports: names(WebAssembly.Module.imports(module)),
    exports: names(WebAssembly.Module.exports(module)),
  }),
);
