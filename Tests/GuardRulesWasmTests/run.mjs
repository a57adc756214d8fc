// Answers cases with the rules' WebAssembly module, as a page would.
//   node run.mjs MODULE CASES ANSWERS
// CASES holds 232 bytes a case and ANSWERS gets 44, all little-endian; `Case.swift` and
// `PlaceCase.swift` name them. Prints what the module imports and exports, as JSON.
import { readFile, writeFile } from "node:fs/promises";

const [modulePath, casesPath, answersPath] = process.argv.slice(2);
const caseSize = 232;
const answerSize = 44;

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
  const double = (place) => cases.getFloat64(from + place, true);
  const [phone, later, blocking, warning, ignored] = [0, 4, 8, 12, 16].map(word);
  const [since, now, skew, freshFor] = [24, 32, 40, 48].map(long);
  const [isMock, siteCount, shiftCount] = [56, 60, 64].map(word);
  const position = [72, 80].map(double);
  const accuracy = double(88);
  const sites = [96, 120, 144].slice(0, siteCount)
    .map((place) => [double(place), double(place + 8), Number(long(place + 16))]);
  const [earlyWindow, knownUntil] = [168, 176].map(long);
  const shifts = [184, 200].slice(0, shiftCount).map((place) => [long(place), long(place + 8)]);

  let margin = -Infinity;
  for (const site of sites) margin = rules.shiftguard_margin(margin, ...position, accuracy, ...site);
  const distance = siteCount
    ? rules.shiftguard_distance(...sites[0].slice(0, 2), ...position) : NaN;
  let standing = 0;
  for (const shift of shifts) {
    standing = rules.shiftguard_planned(standing, now, ...shift, earlyWindow);
  }
  standing = rules.shiftguard_absence(standing, now, long(216), long(224));
  const place = rules.shiftguard_place(margin, siteCount, isMock);
  const plan = rules.shiftguard_plan(standing, now, knownUntil);
  const decision = rules.shiftguard_decide(
    phone, since, now, skew, freshFor, blocking, warning, ignored, place | plan);

  const to = index * answerSize;
  answers.setBigUint64(to, decision, true);
  answers.setFloat64(to + 8, margin, true);
  answers.setFloat64(to + 16, distance, true);
  answers.setUint32(to + 24, rules.shiftguard_compare(phone, later), true);
  answers.setUint32(to + 28, place, true);
  answers.setUint32(to + 32, plan, true);
  answers.setBigInt64(to + 36, shiftCount ? rules.shiftguard_nearness(now, ...shifts[0]) : -1n, true);
}

await writeFile(answersPath, answers);
const names = (list) => list.map(({ name }) => name).sort();
console.log(
  JSON.stringify({
    imports: names(WebAssembly.Module.imports(module)),
    exports: names(WebAssembly.Module.exports(module)),
  }),
);
