import type { Language } from '../language.ts';

export const rust = {
  name: 'Rust',
  extensions: ['.rs'],
  grammar: 'rust',
  query: `
(impl_item type: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier name: (_) @name)]) @scope
(impl_item body: (declaration_list (function_item name: (_) @name) @method))
(trait_item body: (declaration_list (function_item name: (_) @name) @method))
(trait_item body: (declaration_list (function_signature_item name: (_) @name) @method))
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(enum_variant name: (_) @name) @enum_member
(trait_item name: (_) @name) @trait
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(mod_item name: (_) @name) @module
(field_declaration name: (_) @name) @field
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @variable
(let_declaration pattern: (identifier) @name) @variable
(macro_definition name: (_) @name) @macro
[(function_item) (closure_expression)] @local
`,
  wrappers: [],
} satisfies Language;
