// In place of d3-format: text/formats.ts writes every number in the reader's language.
function unused(): never {
  throw new Error("numbers are written by text/formats.ts");
}

export { unused as format, unused as formatPrefix, unused as formatSpecifier };
export { unused as precisionFixed, unused as precisionPrefix, unused as precisionRound };
