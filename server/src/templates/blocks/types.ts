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
  'logo',
  'social',
  'product',
  'code',
  'image_text',
  'receipt',
  'footer',
] as const
export type BlockType = (typeof blockTypes)[number]

/** Networks whose icon the service has (`images/networks`), with their names. */
export const networks = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  x: 'X',
  pinterest: 'Pinterest',
  whatsapp: 'WhatsApp',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
} as const
export type Network = keyof typeof networks
