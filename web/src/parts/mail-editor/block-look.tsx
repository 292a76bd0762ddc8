/** What the blocks of a mail have in common on the canvas: pictures, and colours that can be read. */
import type { Editor } from '@tiptap/core'
import type { CSSProperties, ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { canvasWords } from '../../words/canvas.ts'
import type { Block } from '../blocks/model.ts'
import { isOwnPicture } from '../pictures/own-address.ts'
import type { WrittenDocument } from './written-text.ts'

export interface MailBlockProps {
  block: Block
  onChange: (block: Block) => void
  /** Such as “Heading, 2 of 5”. */
  label: string
  /** The message of the service about a field of it. */
  fault: (field: string) => string | undefined
  /** The colour of buttons that have none of their own. */
  accent: string
  isFirstHeading: boolean
  onSlash: (block: Block, editor: Editor, paragraph: number) => void
  onPick: () => void
  /** The blocks of a column. */
  renderColumn: (blocks: readonly Block[], column: number) => ReactNode
}

/** The picture of a block, or where it will be. */
export function Picture({ block, usual = '100%' }: { block: Block; usual?: string }) {
  const { src = '', alt = '', width, align } = block
  return (
    <span className="mail-image" style={{ textAlign: (align ?? 'start') as 'start' }}>
      {isOwnPicture(src) ? (
        <img src={src} alt="" style={{ width: width === undefined ? usual : `${width}px` }} />
      ) : (
        <span className="mail-gap">
          <Icon name="upload" />
          {alt === '' ? canvasWords.picture : alt}
        </span>
      )}
    </span>
  )
}

/** A block without words is chosen like a button. */
export function Pick({
  onPick,
  label,
  children,
}: {
  onPick: () => void
  label: string
  children: ReactNode
}) {
  return (
    <button type="button" aria-label={label} onClick={onPick} className="mail-pick">
      {children}
    </button>
  )
}

export function plain({ content }: WrittenDocument): string {
  const pieces = content.flatMap((paragraph) => paragraph.content ?? [])
  return pieces.map(({ text, attrs }) => text ?? attrs?.code ?? ' ').join('')
}

function brightness(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(colour: string, ground: string): number {
  const [text, behind] = [brightness(colour) + 0.05, brightness(ground) + 0.05]
  return Math.max(text, behind) / Math.min(text, behind)
}

/** White or black, whichever can be read on it. */
export const textOn = (colour: string) =>
  contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000'

const ink = '#24242b'

/** The colour for words on a background, as the service chooses it: a pale one gives way to ink. */
export function readable(colour: string, ground = '#ffffff'): string {
  if (contrast(colour, ground) >= 4.5) return colour
  return contrast(ink, ground) >= 4.5 ? ink : textOn(ground)
}

/** The background of a block, what can be read on it, and the space above and below. */
export function frameOf({ background, padding }: Block, accent: string): CSSProperties | undefined {
  const isColour = background !== undefined && /^#[0-9a-f]{6}$/i.test(background)
  if (!isColour && padding === undefined) return undefined
  return {
    paddingBlock: { small: 8, medium: 16, large: 32 }[padding ?? 'medium'],
    ...(isColour && {
      background,
      color: readable(ink, background),
      '--mail-accent': readable(accent, background),
    }),
  } as CSSProperties
}
