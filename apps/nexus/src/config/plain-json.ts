import stripJsonComments from 'strip-json-comments';

/** JSON as people write it, as JSON: comments and trailing commas become white space, so each place stays. */
export function plainJson(text: string): string {
  return stripJsonComments(text, { trailingCommas: true });
}

export function hasComments(text: string): boolean {
  return stripJsonComments(text) !== text;
}
