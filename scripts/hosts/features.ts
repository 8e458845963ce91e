/** What is tried with each host, as the table's rows. */
export const FEATURES = {
  lists: 'lists Nexus’s tools',
  searches: 'where Nexus lists all tools, its model is given',
  told: 'gives its model the server’s instructions',
  appeared: 'a tool that has just appeared',
  longCall: 'a call of 90 seconds',
  error: 'an error’s message',
  cut: 'a cut result says where the whole is',
  cutStructure: 'the same, of a result with structure',
  picture: 'a picture',
  elicitation: 'a question to the user, with nobody there',
  resource: 'a resource',
  prompt: 'a prompt of the server',
  beside: 'two at once, the one that serves killed',
  source: 'asked as a model by Nexus',
} as const;

export type Feature = keyof typeof FEATURES;
/** What came of each; `failed` says why one of the ways could not be gone. */
export type Cells = { readonly [feature in Feature | 'failed']?: string };
