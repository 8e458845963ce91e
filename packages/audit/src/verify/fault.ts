/** What somebody did to a trail, by what it left. */
export type FaultKind =
  | 'edited'
  | 'deleted'
  | 'inserted'
  | 'reordered'
  | 'cut'
  | 'regrown'
  | 'swapped'
  | 'forked'
  | 'rolled_back'
  | 'anchor_rewound'
  | 'key_replaced'
  | 'foreign'
  | 'unsigned'
  | 'unopenable'
  | 'unreadable';

export interface Fault {
  readonly kind: FaultKind;
  /** A file of the trail with its line, a writer, a checkpoint or an anchor. */
  readonly where: string;
  /** In whole words, with the numbers and hashes that do not fit. */
  readonly what: string;
}
