/** A value that is a function, whatever it is kept in. */
export const A_FUNCTION = '[(arrow_function) (function_expression) (generator_function)]';
/** Kept in two places at once, as in `req.get = req.header = function () {}`, it is declared in both. */
const ASSIGNED_FUNCTION = `[
  (arrow_function) (function_expression) (generator_function)
  (assignment_expression right: ${A_FUNCTION})
]`;
/** What `require` gives is imported: it is declared where it comes from. */
const REQUIRED = `[
  (call_expression function: (identifier) @_require)
  (member_expression object: (call_expression function: (identifier) @_require))
  (call_expression function: (call_expression function: (identifier) @_require))
  (call_expression function: (member_expression object: (call_expression function: (identifier) @_require)))
] (#eq? @_require "require")`;
/** `exports.f = …`, `module.exports = …`: what is kept there belongs to the module. */
const EXPORTS = '(#match? @_module "^(module[.])?exports$")';
const PROTOTYPE = '(member_expression object: (_) @parent property: (property_identifier) @_prototype)';

/** What JavaScript and TypeScript declare alike. */
export const ECMASCRIPT_QUERY = `
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name (#eq? @name "constructor")) @constructor
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: ${A_FUNCTION}) @function
((variable_declarator name: (identifier) @name value: ${REQUIRED}) @imported)
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
(variable_declarator name: (identifier) @name) @variable
((assignment_expression left: (member_expression object: (_) @_module property: (property_identifier) @name) right: ${ASSIGNED_FUNCTION}) @function ${EXPORTS})
((assignment_expression left: (member_expression object: ${PROTOTYPE} property: (property_identifier) @name) right: ${ASSIGNED_FUNCTION}) @method (#eq? @_prototype "prototype"))
(assignment_expression left: (member_expression object: [(identifier) (member_expression)] @parent property: (property_identifier) @name) right: ${ASSIGNED_FUNCTION}) @method
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name) right: ${ASSIGNED_FUNCTION}) @method
(pair key: [(property_identifier) (string)] @name value: ${A_FUNCTION}) @method
(pair key: [(property_identifier) (string)] @name value: (object)) @scope
(export_statement "default" @name value: (class !name)) @class
(export_statement "default" @name value: [(arrow_function) (function_expression !name) (generator_function !name)]) @function
[
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) (class_static_block)
] @local
`;

export const ECMASCRIPT_WRAPPERS = ['export_statement', 'lexical_declaration', 'variable_declaration'];
