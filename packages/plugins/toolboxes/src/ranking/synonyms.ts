/**
 * Words that descriptions of tools and those who look for tools use for the same: of each line, any for any other.
 * Singular and in lower case, as the index has them.
 */
const ALIKE = `
  search find grep lookup look locate discover
  code codebase source
  remember memory recall
  remember save store keep persist
  write save store keep
  note memory fact entry
  recall query retrieve
  read open view print cat see
  read fetch get retrieve
  delete remove erase drop
  delete remove forget
  list show enumerate display available
  directory folder tree
  tree layout structure laid
  history log commit blame
  history previous past
  usage use reference caller refer
  symbol function class method declaration
  symbol outline declare
  function class method variable
  vote poll ballot
  vote decide decision
  review check inspect
  pr pull
  diff change patch
  queue enqueue submit
  submit create add schedule
  poll claim next lease
  lease claim lock
  complete finish done end close
  status state progress
  retry requeue again rerun
  cancel stop abort kill end
  resume continue restart
  send post notify message
  message mail inbox
  reserve lock claim
  release unlock free give
  run execute start launch
  expert specialist agent role
  agent worker
  ask consult
  workflow template pipeline
  paper article literature publication arxiv
  add bookmark save keep
  issue bug ticket
  triage classify categorize sort label
  model llm
  choose pick select recommend
  trace debug span
  audit tamper tampering unaltered
  compare diff difference
  job background async
  result output
  create new make define
  repository repo project
  analyze inspect analysis examine
  edit change modify update
`;

/** By a word, all that may stand for it. */
export const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = synonymsOf(ALIKE);

function synonymsOf(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.trim().split('\n')) {
    const words = line.trim().split(' ');
    for (const word of words) {
      const known = found.get(word) ?? new Set();
      found.set(word, known);
      for (const other of words) if (other !== word) known.add(other);
    }
  }
  return found;
}
