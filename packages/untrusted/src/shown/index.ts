export { visibleJson, visibleLine, visibleStart, visibleText, visibleWord } from '@nexus/primitives';
export { questionText } from './question-text.ts';
