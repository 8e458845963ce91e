import type { Language } from '../language.ts';

export const java = {
  name: 'Java',
  extensions: ['.java'],
  grammar: 'java',
  query: `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(enum_constant name: (_) @name) @enum_member
(constructor_declaration name: (_) @name) @constructor
(compact_constructor_declaration name: (_) @name) @constructor
(method_declaration name: (_) @name) @method
(annotation_type_element_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name) @field)
(constant_declaration declarator: (variable_declarator name: (_) @name) @constant)
(local_variable_declaration declarator: (variable_declarator name: (_) @name) @variable)
[(method_declaration) (constructor_declaration) (lambda_expression) (static_initializer)] @local
`,
  wrappers: ['field_declaration', 'constant_declaration', 'local_variable_declaration'],
} satisfies Language;
