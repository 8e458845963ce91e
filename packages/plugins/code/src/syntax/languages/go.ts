import type { Language } from '../language.ts';

export const go = {
  name: 'Go',
  extensions: ['.go'],
  grammar: 'go',
  query: `
(function_declaration name: (_) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @parent
    (pointer_type (type_identifier) @parent)
    (generic_type type: (_) @parent)
    (pointer_type (generic_type type: (_) @parent))
  ]))
  name: (_) @name) @method
(method_elem name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(field_declaration name: (_) @name) @field
(const_spec name: (_) @name) @constant
(var_spec name: (_) @name) @variable
(short_var_declaration left: (expression_list (identifier) @name)) @variable
[(function_declaration) (method_declaration) (func_literal)] @local
`,
  wrappers: ['type_declaration', 'const_declaration', 'var_declaration'],
} satisfies Language;
