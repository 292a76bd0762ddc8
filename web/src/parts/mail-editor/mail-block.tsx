/** One block as it will look in the mail. What it says is written there. */
import { Suspense } from 'react'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { blockWords } from '../../words/blocks.ts'
import { canvasWords } from '../../words/canvas.ts'
import { type Block, withFields } from '../blocks/model.ts'
import { type MailBlockProps, Pick, Picture, plain, textOn } from './block-look.tsx'
import { RichText } from './rich-text.tsx'
import { readItems, readLine, readText, writeItems, writeLine, writeText } from './written-text.ts'

const FurtherBlock = lazyPart(() => import('./further-blocks.tsx'), 'FurtherBlock')

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
      placeholder={canvasWords.write}
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
          label={`${label}: ${(block.alt ?? '') === '' ? canvasWords.picture : block.alt}`}
        >
          <Picture block={block} />
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
        <Pick onPick={onPick} label={`${label}: ${canvasWords.mjml}`}>
          <span className="mail-gap">
            <Icon name="code" />
            {canvasWords.mjml}
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
    default:
      return (
        <Suspense fallback={<span className="mail-gap" />}>
          <FurtherBlock {...props} type={type} />
        </Suspense>
      )
  }
}
