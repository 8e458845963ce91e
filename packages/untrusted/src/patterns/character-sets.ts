import type { AST } from '@eslint-community/regexpp';
import { PatternFault } from './pattern-fault.ts';

/** `\s` of ECMAScript (WhiteSpace and LineTerminator), which has more than RE2's. */
const SPACES =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
/** `\S`: what is between those. */
const NON_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';
const EVERYTHING = '\\x{0}-\\x{10ffff}';

/** One character or one set, standing for itself. */
export function setOf(node: AST.Character | AST.CharacterSet, given: string): string {
  if (node.type === 'Character') return character(node.value);
  if (node.kind === 'any') return `[^${LINE_ENDS}]`;
  return `[${members(node, given)}]`;
}

/** `[…]`. */
export function classOf({ negate, elements }: AST.CharacterClass, given: string): string {
  const inner = elements.map((element) => members(element, given)).join('');
  if (inner === '') return negate ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`;
  return `[${negate ? '^' : ''}${inner}]`;
}

/** What a part of a class adds to it, written as inside of brackets. */
function members(node: AST.CharacterClass['elements'][number] | AST.CharacterSet, given: string): string {
  switch (node.type) {
    case 'Character':
      return character(node.value);
    case 'CharacterClassRange':
      return `${character(node.min.value)}-${character(node.max.value)}`;
    case 'CharacterSet':
      return escapeMembers(node, given);
    default:
      throw new PatternFault(given, `has ${node.raw} in a class, which is not supported`);
  }
}

function escapeMembers(node: AST.CharacterSet, given: string): string {
  switch (node.kind) {
    case 'space':
      return node.negate ? NON_SPACES : SPACES;
    case 'digit':
      return node.negate ? '\\D' : '\\d';
    case 'word':
      return node.negate ? '\\W' : '\\w';
    case 'property':
      return property(node, given);
    default:
      throw new PatternFault(given, `has ${node.raw} in a class, which is not supported`);
  }
}

/** RE2 knows general categories by their short names, and scripts. */
function property(node: AST.UnicodePropertyCharacterSet, given: string): string {
  const name = node.value ?? node.key;
  const isScript = node.value !== null && /^(?:sc|scx|Script|Script_Extensions)$/.test(node.key);
  if (node.strings) throw new PatternFault(given, `has ${node.raw}, which is not supported`);
  return `\\${node.negate ? 'P' : 'p'}{${isScript ? name : (GENERAL_CATEGORIES[name] ?? name)}}`;
}

/** https://unicode.org/reports/tr44/#General_Category_Values */
const GENERAL_CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
};

function character(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
