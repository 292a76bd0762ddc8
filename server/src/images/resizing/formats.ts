/** The formats of pictures that are taken, told by their first bytes and never by a name. */

export const imageFormats = ['png', 'jpeg', 'gif', 'webp'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Media types under which pictures arrive. The bytes decide. */
export const imageTypes = [
  ...imageFormats.map((format) => `image/${format}`),
  'application/octet-stream',
]

const starts: readonly [ImageFormat, string][] = [
  ['png', '89504e470d0a1a0a'],
  ['jpeg', 'ffd8ff'],
  ['gif', '474946383761'],
  ['gif', '474946383961'],
]

export function formatOf(bytes: Buffer): ImageFormat | undefined {
  const start = bytes.toString('hex', 0, 12)
  const format = starts.find(([, hex]) => start.startsWith(hex))?.[0]
  const isWebp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return format ?? (isWebp ? 'webp' : undefined)
}
