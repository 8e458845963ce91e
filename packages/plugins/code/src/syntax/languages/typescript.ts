import type { Language } from '../language.ts';
import { A_FUNCTION, ECMASCRIPT_QUERY, ECMASCRIPT_WRAPPERS } from './ecmascript.ts';

const query = `
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(enum_body name: (_) @name @enum_member)
(enum_assignment name: (_) @name) @enum_member
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: ${A_FUNCTION}) @method
(public_field_definition name: (_) @name) @field
(interface_body (property_signature name: (_) @name) @field)
${ECMASCRIPT_QUERY}
`;

const wrappers = [...ECMASCRIPT_WRAPPERS, 'ambient_declaration'];

export const typescript = {
  name: 'TypeScript',
  extensions: ['.ts', '.mts', '.cts'],
  grammar: 'typescript',
  query,
  wrappers,
} satisfies Language;

export const tsx = {
  name: 'TSX',
  extensions: ['.tsx'],
  grammar: 'tsx',
  query,
  wrappers,
} satisfies Language;
