/** The same without its clusters; its package has types for the whole alone. */
declare module 'bottleneck/light.js' {
  export { default } from 'bottleneck';
}
