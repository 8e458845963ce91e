/** Sections of earlier versions, and where what they said is said now. */
export const movedKeys: Readonly<Record<string, string>> = {
  'consensus.github':
    'it is sources.github now, with baseUrl and key, for all tools that ask GitHub; move it there',
};
