/** One block as it will look in the mail. What it says is written there. */
import type { Editor } from '@tiptap/core'
import type { ReactNode } from 'react'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { blockWords } from '../../words/block-words.ts'
import { type Block, withFields } from '../blocks/model.ts'
import { isOwnPicture } from '../pictures/own-address.ts'
import { RichText } from './rich-text.tsx'
import {
  readItems,
  readLine,
  readText,
  type WrittenDocument,
  writeItems,
  writeLine,
  writeText,
} from './written-text.ts'

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

export function MailBlock(props: MailBlockProps) {
  const { block, onChange, label, fault, accent, isFirstHeading, onSlash, onPick } = props
  const w = blockWords
  const set = (change: Partial<Block>) => onChange(withFields(block, change))
  const { type, align, colour } = block
  const look = { textAlign: (align ?? 'start') as 'start', ...(colour && { color: colour }) }
  const line = (className: string, placeholder: string) => (
    <RichText
      kind="line"
      label={label}
      value={block.text ?? ''}
      read={readLine}
      write={writeLine}
      onChange={(text) => set({ text })}
      placeholder={placeholder}
      className={className}
      isWrong={fault('text') !== undefined}
    />
  )
  const text = (
    <RichText
      kind="text"
      label={label}
      value={block.text ?? ''}
      read={readText}
      write={writeText}
      onChange={(written) => set({ text: written })}
      placeholder={w.canvas.write}
      isWrong={fault('text') !== undefined}
      onSlash={(editor, paragraph) => onSlash(block, editor, paragraph)}
    />
  )
  switch (type) {
    case 'heading':
      return (
        <div style={look} className={`mail-heading-${block.level ?? (isFirstHeading ? 1 : 2)}`}>
          {line('', w.firsts.heading)}
        </div>
      )
    case 'text':
      return (
        <div style={look} className="mail-text">
          {text}
        </div>
      )
    case 'quote':
      return (
        <blockquote className="mail-quote">
          {text}
          {block.by !== undefined && <p className="mail-by">{plain(readLine(block.by))}</p>}
        </blockquote>
      )
    case 'list':
      return (
        <div className={cx('mail-list', block.ordered && 'is-ordered')}>
          <RichText
            kind="list"
            label={label}
            value={block.items ?? ['']}
            read={readItems}
            write={writeItems}
            onChange={(items) => set({ items })}
            placeholder={w.firsts.item}
            isWrong={fault('items') !== undefined}
          />
        </div>
      )
    case 'button':
      return (
        <div style={{ textAlign: (align ?? 'start') as 'start' }} className="mail-button-row">
          <div
            className="mail-button"
            style={{ backgroundColor: colour ?? accent, color: textOn(colour ?? accent) }}
          >
            {line('', w.firsts.button)}
          </div>
        </div>
      )
    case 'view_link':
      return (
        <div style={{ textAlign: (align ?? 'start') as 'start' }} className="mail-view-link">
          {line('', w.types.view_link)}
        </div>
      )
    case 'image':
      return (
        <Pick
          onPick={onPick}
          label={`${label}: ${(block.alt ?? '') === '' ? w.canvas.picture : block.alt}`}
        >
          <span className="mail-image" style={{ textAlign: (align ?? 'start') as 'start' }}>
            {isOwnPicture(block.src ?? '') ? (
              <img
                src={block.src}
                alt=""
                style={{ width: block.width === undefined ? '100%' : `${block.width}px` }}
              />
            ) : (
              <span className="mail-gap">
                <Icon name="upload" />
                {(block.alt ?? '') === '' ? w.canvas.picture : block.alt}
              </span>
            )}
          </span>
        </Pick>
      )
    case 'divider':
      return (
        <Pick onPick={onPick} label={label}>
          <span className="mail-divider" />
        </Pick>
      )
    case 'spacer':
      return (
        <Pick onPick={onPick} label={label}>
          <span className="mail-spacer" style={{ height: `${block.height ?? 24}px` }} />
        </Pick>
      )
    case 'mjml':
      return (
        <Pick onPick={onPick} label={`${label}: ${w.canvas.mjml}`}>
          <span className="mail-gap">
            <Icon name="code" />
            {w.canvas.mjml}
          </span>
        </Pick>
      )
    case 'columns':
      return (
        <div className="mail-columns">
          {(block.columns ?? []).map((column, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places.
            <div key={place}>{props.renderColumn(column, place)}</div>
          ))}
        </div>
      )
  }
}

/** A block without words is chosen like a button. */
function Pick({
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

function plain({ content }: WrittenDocument): string {
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

/** White or black, whichever can be read on it. */
function textOn(colour: string): string {
  const light = brightness(colour) + 0.05
  return 1.05 / light >= light / 0.05 ? '#ffffff' : '#000000'
}

/** The colour for words on white, as the service chooses it: a pale one gives way to ink. */
export const readable = (colour: string) =>
  1.05 / (brightness(colour) + 0.05) >= 4.5 ? colour : '#24242b'
