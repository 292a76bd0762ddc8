/**
 * The program of a process that resizes one picture: it reads the picture from its input, and writes
 * what it found as a line of JSON, followed by the picture as it is to be stored. The decoders are
 * native code that reads strangers' bytes, so they run where a crash or endless work ends nothing
 * else, and where no secret is.
 */
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { ResizeAnswer, ResizeQuestion } from './resize.ts'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadWebp',
  ],
})

interface Result {
  answer: ResizeAnswer
  data?: Buffer
}

async function resized(input: Buffer, limits: ResizeQuestion): Promise<Result> {
  try {
    return await tryResize(input, limits)
  } catch (error) {
    // What the library says of a broken file is for nobody but its developers.
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit')
    return { answer: { fault: isTooLarge ? 'pixels' : 'unreadable' } }
  }
}

const jpeg = { quality: 82, mozjpeg: true }

/** Bytes above which a PNG is compared with a JPEG. */
const longPng = 200_000

async function tryResize(input: Buffer, limits: ResizeQuestion): Promise<Result> {
  const { pixels, frames, width, height, format } = limits
  const options = { failOn: 'error', limitInputPixels: pixels, sequentialRead: true } as const
  const metadata = await sharp(input, { ...options, animated: false }).metadata()
  if (metadata.format !== format) return { answer: { fault: 'unreadable' } }
  const pages = metadata.pages ?? 1
  if ((metadata.width ?? 0) * (metadata.height ?? 0) * pages > pixels) {
    return { answer: { fault: 'pixels' } }
  }
  if (pages > frames) return { answer: { fault: 'frames' } }
  const animated = pages > 1
  const picture = sharp(input, { ...options, animated })
  const fitting = (animated ? picture : picture.autoOrient()).resize({
    width,
    height,
    fit: 'inside',
    withoutEnlargement: true,
  })
  const hasAlpha = metadata.hasAlpha ?? false
  const kind =
    animated || format === 'gif' ? 'gif' : format === 'webp' && !hasAlpha ? 'jpeg' : format
  const output =
    kind === 'gif'
      ? fitting.gif({ effort: 5 })
      : kind === 'jpeg'
        ? fitting.jpeg(jpeg)
        : fitting.png({ compressionLevel: 9, palette: false })
  const { data, info } = await output.toBuffer({ resolveWithObject: true })
  if (kind === 'png' && !hasAlpha && data.length > longPng) {
    // Most often a photograph that was pasted, as which browsers give a PNG.
    const other = await fitting.jpeg(jpeg).toBuffer({ resolveWithObject: true })
    if (other.data.length * 2 < data.length) {
      const { width, height } = other.info
      return { answer: { kind: 'jpeg', width, height }, data: other.data }
    }
  }
  const stored = { kind: kind === 'webp' ? 'png' : kind } as const
  return { answer: { ...stored, width: info.width, height: info.pageHeight ?? info.height }, data }
}

const question = JSON.parse(process.argv[2] ?? '{}') as ResizeQuestion
const { answer, data } = await resized(await buffer(process.stdin), question)
process.stdout.write(`${JSON.stringify(answer)}\n`)
if (data) process.stdout.write(data)
