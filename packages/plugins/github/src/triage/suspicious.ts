const SIGNS: readonly { readonly sign: string; readonly found: RegExp }[] = [
  {
    sign: 'tells a model to forget its instructions',
    found:
      /\b(ignore|disregard|forget)\b.{0,40}\b(previous|prior|above|earlier|all|your)\b.{0,30}\b(instruction|prompt|rule|direction)/i,
  },
  {
    sign: 'speaks to a model or agent',
    found:
      /\b(as an ai|you are (now )?(an?|the) (ai|assistant|agent|model)|system prompt|developer message|<\/?(system|assistant|tool)[ >])/i,
  },
  {
    sign: 'asks for secrets or private files',
    found:
      /\b(env(ironment)? variables?|api[ _-]?keys?|tokens?|credentials?|\.env\b|id_rsa|private (repo|key|file)s?)\b.{0,80}\b(send|post|paste|include|print|upload|exfiltrate|add|commit)|\b(send|post|paste|include|print|upload|exfiltrate|commit)\b.{0,80}\b(env(ironment)? variables?|api[ _-]?keys?|tokens?|credentials?|\.env\b|id_rsa|private (repo|key|file)s?)/i,
  },
  { sign: 'hides text in an HTML comment', found: /<!--[\s\S]{20,}?-->/ },
  {
    sign: 'has invisible or direction-changing characters',
    found: /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/u,
  },
  { sign: 'has a long run of encoded text', found: /[A-Za-z\d+/]{200,}={0,2}/ },
  {
    sign: 'tells the reader to run a program from the network',
    found: /\b(curl|wget|iwr|invoke-webrequest)\b[^\n]{0,200}\|\s*(ba|z|da)?sh\b|\bpowershell\b.{0,80}-enc/i,
  },
];

/** What in a text is not what a report of a fault needs. It says nothing of what is not found. */
export function suspiciousSigns(text: string): string[] {
  return SIGNS.flatMap(({ sign, found }) => (found.test(text) ? [sign] : []));
}
