/** Resizes a picture in a process of its own (process.ts). */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { imageLimits } from '../../config/images.ts'
import type { ImageKind } from '../image.ts'
import type { ImageFormat } from './formats.ts'

export interface ResizeQuestion {
  format: ImageFormat
  pixels: number
  frames: number
  width: number
  height: number
}

export type ResizeFault = 'unreadable' | 'pixels' | 'frames'

export type ResizeAnswer =
  | { fault: ResizeFault }
  | { kind: ImageKind; width: number; height: number }

export type Resized =
  | { fault: ResizeFault | 'time' }
  | { kind: ImageKind; width: number; height: number; data: Buffer }

const program = fileURLToPath(new URL('./process.ts', import.meta.url))

/** The most that comes back: far above what is stored, which the caller checks. */
const mostBytes = 64 * 1024 * 1024

export function resize(picture: Buffer, format: ImageFormat): Promise<Resized> {
  const { pixels, frames, width, height, resizeMs } = imageLimits
  const question: ResizeQuestion = { format, pixels, frames, width, height }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(question)], {
      // None of our own settings, some of which are secret.
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: resizeMs,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    // It may end before it has read everything, which its answer explains.
    child.stdin.on('error', () => undefined)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve({ fault: 'time' })
      // The decoder crashed over these bytes.
      else if (signal !== null) resolve({ fault: 'unreadable' })
      else if (code !== 0) reject(new Error(`the process that resizes pictures ended with ${code}`))
      else resolve(read(Buffer.concat(chunks)))
    })
    child.stdin.end(picture)
  })
}

function read(output: Buffer): Resized {
  const end = output.indexOf('\n')
  const answer = JSON.parse(output.toString('utf8', 0, end)) as ResizeAnswer
  return 'fault' in answer ? answer : { ...answer, data: output.subarray(end + 1) }
}
