import type { Language } from '../language.ts';

const query = `
(namespace_definition name: (_) @name) @module
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(enumerator name: (_) @name) @enum_member
(concept_definition name: (_) @name) @type
(alias_declaration name: (_) @name) @type
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(field_declaration_list [
  (declaration declarator: (function_declarator declarator: (identifier) @name))
  (function_definition declarator: (function_declarator declarator: (identifier) @name))
] @constructor)
(function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: (_) @parent name: (identifier) @name))) @method
(function_declarator declarator: (qualified_identifier scope: (_) @parent name: [(identifier) (destructor_name) (operator_name)] @name)) @method
(function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name) @method
(function_declarator declarator: (identifier) @name) @function
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (reference_declarator (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
]) @field
(declaration (type_qualifier) @qualifier declarator: (init_declarator declarator: (identifier) @name) (#match? @qualifier "^const")) @constant
(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])
]) @variable
(preproc_def name: (_) @name) @macro
(preproc_function_def name: (_) @name) @macro
[(function_definition) (lambda_expression)] @local
`;

const wrappers = ['template_declaration'];

const lift = {
  from: 'function_declarator',
  through: ['pointer_declarator', 'reference_declarator'],
  to: ['function_definition', 'declaration', 'field_declaration'],
};

export const cpp = {
  name: 'C++',
  extensions: ['.cpp', '.cc', '.cxx', '.c++', '.hpp', '.hh', '.hxx', '.h++', '.ipp', '.inl'],
  grammar: 'cpp',
  query,
  wrappers,
  lift,
} satisfies Language;

/** There is no grammar of C's own in the package; that of C++ is made from it and reads C too. */
export const c = {
  name: 'C (by the C++ grammar)',
  extensions: ['.c', '.h'],
  grammar: 'cpp',
  query,
  wrappers,
  lift,
} satisfies Language;
