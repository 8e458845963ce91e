export { questionText } from './question-text.ts';
export { visibleJson, visibleLine, visibleStart, visibleText, visibleWord } from './visible.ts';
