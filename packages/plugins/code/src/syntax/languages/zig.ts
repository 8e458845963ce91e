import type { Language } from '../language.ts';

export const zig = {
  name: 'Zig',
  extensions: ['.zig', '.zon'],
  grammar: 'zig',
  grammarFrom: '@tree-sitter-grammars/tree-sitter-zig',
  query: `
(variable_declaration . (identifier) @name (struct_declaration)) @struct
(variable_declaration . (identifier) @name (opaque_declaration)) @struct
(variable_declaration . (identifier) @name (union_declaration)) @struct
(variable_declaration . (identifier) @name (enum_declaration)) @enum
(variable_declaration . (identifier) @name (error_set_declaration)) @enum
(struct_declaration (function_declaration name: (_) @name) @method)
(union_declaration (function_declaration name: (_) @name) @method)
(enum_declaration (function_declaration name: (_) @name) @method)
(opaque_declaration (function_declaration name: (_) @name) @method)
(function_declaration name: (_) @name) @function
(enum_declaration (container_field name: (_) @name) @enum_member)
(container_field name: (_) @name) @field
(error_set_declaration (identifier) @name @enum_member)
(variable_declaration "const" . (identifier) @name) @constant
(variable_declaration "var" . (identifier) @name) @variable
(test_declaration (string (string_content) @name)) @function
[(block)] @local
`,
  wrappers: [],
} satisfies Language;
