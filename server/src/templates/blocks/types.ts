/** The names of the types of blocks. Everything else about blocks is loaded when blocks come. */
export const blockTypes = [
  'heading',
  'text',
  'image',
  'button',
  'list',
  'quote',
  'columns',
  'divider',
  'spacer',
  'view_link',
  'mjml',
] as const
export type BlockType = (typeof blockTypes)[number]
