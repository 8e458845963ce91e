import { sentence } from './sentence.ts';

/**
 * Every sentence by which an answer of Nexus says where to go on, what is left out of it, where the whole is, or whose
 * words stand in it. They are said by these alone, so that what a server says in the same words is known by them
 * (`saysOwnSentence`): one that is made elsewhere is found by the check `own-sentences`.
 */
export const OWN_SENTENCES = {
  // Pages
  goOnWithOffset: sentence`Go on with offset ${'number'}.`,
  offsetGivesNext: sentence`; offset ${'number'} gives the next`,
  offsetIsPast: sentence`: the offset is past the last.`,
  nothingAtOffset: sentence`Nothing is at offset ${'number'}: `,
  items: sentence`Items ${'number'} to ${'number'} of ${'number'}`,
  members: sentence`Members ${'number'} to ${'number'} of ${'number'}`,
  lines: sentence`Lines ${'number'} to ${'number'} of ${'number'}`,
  longLines: sentence`, a line of more than ${'number'} characters counted as several`,
  lastLineGoesOn: sentence`; the last goes on in the next`,
  rowsBehind: sentence`${'number'} of its ${'number'} items have room beside the others: offset ${'number'} goes on behind them; or call ${'words'} alone.`,
  opsBehind: sentence`Ops ${'number'} to ${'number'} of ${'number'} ran, and have no room here: read_result reads their results as ${'words'}, the first of them by pick "[0]".`,
  restOfLine: sentence` The rest did not fit: go on with lines "${'number'}:${'number'}".`,
  restOfLines: sentence` Lines ${'number'} to ${'number'} did not fit: go on with lines "${'number'}-${'number'}".`,
  moreOfLine: sentence`… (${'number'} more characters: lines "${'number'}:${'number'}")`,
  partsBehind: sentence`Parts that did not fit here: ${'words'}.`,
  charactersBefore: sentence`(${'number'} characters before) …`,

  // What is cut
  leftOut: sentence`[… ${'number'} of ${'number'} characters left out; the whole text is the resource ${'words'} …]`,
  leftOutHere: sentence`[… ${'number'} characters left out here …]`,
  leftOutOf: sentence`[… ${'number'} of ${'number'} characters left out${'words'} …]`,
  moreCharacters: sentence`… (${'number'} more characters)`,
  noneShown: sentence`; it ${'words'}, so none of it is shown`,
  shape: sentence`; it has here ${'words'}`,
  butWhiteSpace: sentence`; here it is all but its white space`,
  structureHas: sentence`[… the structured content has ${'words'}`,
  structureWhole: sentence`; the whole is the resource ${'words'} …]`,
  blocksLeftOut: sentence`[… ${'words'} of text left out; all of them are the resource ${'words'} …]`,
  failureCut: sentence`(Of this failure only the text is passed on: it is ${'words'}.)`,
  dataLeftOut: sentence`its data are left out: ${'words'}`,
  besideOthers: sentence`${'number'} of its ${'number'} characters do not fit beside the others: read_result reads all of it as ${'words'}`,
  fromHere: sentence`, from here by offset ${'number'}`,
  structureShape: sentence`Its structure has here ${'words'}.`,
  beginning: sentence`${'number'} characters do not fit, so this is the beginning. `,
  beginningHas: sentence`It has here ${'words'}.`,
  onlyBeginning: sentence`${'words'} has ${'number'} characters, and only its beginning is here: pick it alone.`,
  noRoom: sentence`${'number'} characters have no room here: read_result reads them from ${'words'}.`,
  shownBeginning: sentence`[… that is its beginning; all ${'words'} characters are ${'words'}, which read_result reads]`,
  linesCut: sentence`Lines of more than ${'number'} characters are cut; read_result reads these whole as ${'words'}.`,
  linesAround: sentence`${'words'} around it ${'words'} no room; read_file has ${'words'}.`,
  toolsNotShown: sentence`${'words'} not shown; find_tools with this toolbox finds ${'words'}`,
  toolsLeftOut: sentence`${'words'} left out; open_toolbox says why`,
  linkedLeftOut: sentence`${'number'} more that these link to had no room: their keys, in links, find them.`,
  frequentWords: sentence`Left out, as most entries have it: ${'words'}.`,
  unusedWords: sentence`Not looked for, as the query has so many words: ${'words'}.`,
  rolesLeftOut: sentence`What each role can do has no room here: read_result reads it as nexus://experts, by pick experts, with offset and limit.`,
  inboxLeftOut: sentence`Not all has room here. fetch_inbox with view all lists every message by its nextCursor, and marks nothing; with view new it shows these and marks them.`,
  notShown: sentence`[${'words'} is not shown here; call it directly: ${'words'}]`,
  rounded: sentence`Rounded, not as they were sent: ${'words'}.`,

  // What was not looked at
  notCounted: sentence`${'words'} has more than ${'number'} files; the others are not counted.`,
  notLookedAt: sentence`${'words'} has more than ${'number'} files; the others were not looked at.`,
  tooLargeToSearch: sentence`Not searched: ${'words'} of more than ${'number'} bytes, which code.maxFileBytes in the config raises: ${'words'}.`,
  foreignUnsearched: sentence`Not searched: ${'words'} not UTF-8: ${'words'}. Named as directory, one is read as that.`,
  restUnsearched: sentence`More than ${'number'} files hold bytes that no text has; the rest was not looked at.`,
  notReadInTime: sentence`${'words'} with this name in the text could not be read in time. Reading goes on; ask again, or name a directory or a longer name.`,
  unreadForSymbols: sentence`${'words'} could not be read for symbols:`,
  faultyBytes: sentence`${'words'} has bytes that are no UTF-8; each stands here as �.`,
  readAs: sentence`${'words'} is not UTF-8 and has no mark of what it is; its bytes were read as ${'words'}.`,

  // How parts are had
  partsThere: sentence`It has ${'words'}: pick one of these${'words'}. A list or a text is then read on by offset and limit; as: "text" reads all as it is written.`,
  namesNone: sentence`offset and limit count the items of one list or the lines of one text, and this result has ${'words'}. Name one by pick.`,
  noPathInto: sentence`${'words'}, so no path leads into it; take lines of it by offset and limit.`,
  nothingIn: sentence`Nothing is at ${'words'}; what it would be in has ${'words'}.`,
  oneOrAll: sentence`Pick one item, or all by []: ${'words'} is too large for several by their numbers.`,
  noPartOf: sentence`The result is neither JSON nor one text, so no part of it can be named or was taken.`,
  noPartTaken: sentence`${'words'} So no part was taken; read_result takes parts of the whole result, which is ${'words'}.`,

  // Whose words these are
  follows: sentence`[Nexus: what follows is of the server ${'words'}, none of it of Nexus.]`,
  inQuotes: sentence`[Nexus: what stands in quotes here is of the server ${'words'}, none of it of Nexus.]`,
  ofTheirServers: sentence`[Nexus: descriptions, instructions and errors here are of their servers, none of Nexus.]`,
  ofItsSteps: sentence`[Nexus: what follows is in the words of this workflow and of what its steps called.]`,
} as const;
