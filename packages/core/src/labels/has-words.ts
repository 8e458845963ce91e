/** Whether the text stands there and is no part of longer words or numbers. */
export function hasWords(json: string, text: string): boolean {
  for (let at = json.indexOf(text); at !== -1; at = json.indexOf(text, at + 1)) {
    if (!isInWord(json, at) && !isInWord(json, at + text.length)) return true;
  }
  return false;
}

/** Whether a word goes on from one side of the place to the other. */
function isInWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]{2}/u.test(text.slice(Math.max(0, at - 1), at + 1));
}
