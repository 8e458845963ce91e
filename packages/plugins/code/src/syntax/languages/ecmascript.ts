/** What JavaScript and TypeScript declare alike. */
export const ECMASCRIPT_QUERY = `
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name (#eq? @name "constructor")) @constructor
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
(variable_declarator name: (identifier) @name) @variable
[
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) (class_static_block)
] @local
`;

export const ECMASCRIPT_WRAPPERS = ['export_statement', 'lexical_declaration', 'variable_declaration'];
