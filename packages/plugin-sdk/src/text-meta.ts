/** Under this key of `_meta` a result says that its text is all that a model needs of it, without the structure. */
export const TEXT_META_KEY = 'nexus/textIsWhole';
