// By name and in a module of its own, so that it can be imported when needed: yaml is CommonJS.
export {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parse,
  parseDocument,
  stringify,
  YAMLParseError,
} from 'yaml';
