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
  'feed',
] as const
export type BlockType = (typeof blockTypes)[number]

interface BlockTraits {
  /** It is laid out in columns, and so does not stand within one. */
  isWide?: true
  /** It says nothing to a reader: a mail of such blocks alone is empty. */
  isSilent?: true
}

/** What else the code asks about a type. A type without its line does not compile. */
export const blockTraits: Readonly<Record<BlockType, BlockTraits>> = {
  heading: {},
  text: {},
  image: {},
  button: {},
  list: {},
  quote: {},
  columns: { isWide: true },
  divider: { isSilent: true },
  spacer: { isSilent: true },
  view_link: { isSilent: true },
  mjml: {},
  logo: { isSilent: true },
  social: { isSilent: true },
  product: {},
  code: {},
  image_text: { isWide: true },
  receipt: {},
  footer: { isSilent: true },
  feed: { isWide: true },
}

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
