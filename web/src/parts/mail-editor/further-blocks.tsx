/** Blocks that few mails have, as they will look. They load when the first of them is there. */
import type { ReactElement, ReactNode } from 'react'
import { useBrand } from '../../api/brand.ts'
import { blockWords } from '../../words/blocks.ts'
import { canvasWords } from '../../words/canvas.ts'
import { furtherWords } from '../../words/further-blocks.ts'
import { colon } from '../../words/words.ts'
import { type Block, type Entry, type FeedPart, withFields } from '../blocks/model.ts'
import { picturesAt } from '../pictures/own-address.ts'
import { type MailBlockProps, Pick, Picture, plain, textOn } from './block-look.tsx'
import { RichText } from './rich-text.tsx'
import { readLine, readText, writeLine, writeText } from './written-text.ts'

interface FurtherBlockProps extends MailBlockProps {
  /** Those that `mail-block.tsx` does not draw itself: one that is missing here does not compile. */
  type: 'logo' | 'social' | 'product' | 'code' | 'image_text' | 'receipt' | 'footer' | 'feed'
}

export function FurtherBlock({ type, ...props }: FurtherBlockProps): ReactElement {
  const { block, label, onPick } = props
  const brand = useBrand()
  const picture = (
    <Pick onPick={onPick} label={`${label}: ${block.alt ?? canvasWords.picture}`}>
      <Picture block={block} />
    </Pick>
  )
  switch (type) {
    case 'logo':
      if (block.src === undefined) return <BrandLogo {...props} />
      return (
        <Pick onPick={onPick} label={named(label, block.alt)}>
          <Picture block={{ ...block, align: block.align ?? 'center' }} usual="140px" />
        </Pick>
      )
    case 'social':
      return (
        <Pick onPick={onPick} label={label}>
          <span
            className="mail-social"
            style={{ textAlign: (block.align ?? 'center') as 'center' }}
          >
            {(block.links ?? brand?.social ?? []).map(({ network }, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a network may be there twice.
              <img key={n} src={`${picturesAt}network-${network}.png`} alt={network} />
            ))}
          </span>
        </Pick>
      )
    case 'product':
      return <ProductBlock {...props} picture={picture} />
    case 'code':
      return (
        <div className="mail-code">
          <Line {...props} field="text" name={furtherWords.codeText} />
          <Line {...props} field="code" name={furtherWords.code} className="mail-code-words" />
        </div>
      )
    case 'image_text':
      return (
        <div className={`mail-beside ${block.side === 'right' ? 'is-right' : ''}`}>
          {picture}
          <Words {...props} name={blockWords.text} />
        </div>
      )
    case 'receipt':
      return <ReceiptBlock {...props} />
    case 'feed':
      return <FeedBlock {...props} />
    case 'footer':
      return (
        <div
          style={{ textAlign: (block.align ?? 'center') as 'center' }}
          className="mail-view-link"
        >
          <Words {...props} name={blockWords.text} />
          <p>{furtherWords.legal}</p>
        </div>
      )
  }
}

/** The items of a feed: those of an issue, or two invented ones. */
function FeedBlock({ block, label, onPick }: MailBlockProps) {
  const { hide = [] } = block
  // The service fills them in, and nobody edits them here.
  const { items: written, button } = block as unknown as { items?: FeedItem[]; button?: string }
  const items: readonly FeedItem[] = written ?? furtherWords.feed.items
  const shows = (part: FeedPart) => !hide.includes(part)
  return (
    <Pick onPick={onPick} label={label}>
      {items.map(({ title, text, src, about }) => (
        <span key={title} className="mail-feed-item">
          {src !== undefined && shows('pictures') && <img src={src} alt="" />}
          <b>{title}</b>
          {about !== undefined && shows('dates') && <small>{about}</small>}
          {text !== undefined && shows('texts') && <span>{text}</span>}
          {button !== undefined && <u>{button}</u>}
        </span>
      ))}
    </Pick>
  )
}

interface FeedItem {
  title: string
  text?: string
  src?: string
  about?: string
}

/** A block's place and what it shows; a block of the brand has no place of its own. */
const named = (label: string, shown: string | undefined) =>
  [label, shown].filter((part) => part !== undefined && part !== '').join(colon)

/** The logo of the brand, or the name of the business. */
function BrandLogo({ block, label, onPick }: MailBlockProps) {
  const brand = useBrand()
  const { logo, name } = brand ?? {}
  return (
    <Pick onPick={onPick} label={named(label, logo?.alt || name)}>
      <span
        className="mail-image"
        style={{ textAlign: (block.align ?? 'center') as 'center', fontWeight: 700, fontSize: 20 }}
      >
        {logo ? (
          <img src={logo.url} alt="" style={{ width: `${block.width ?? logo.width}px` }} />
        ) : (
          name
        )}
      </span>
    </Pick>
  )
}

interface FieldProps extends MailBlockProps {
  field: 'text' | 'code' | 'name' | 'price' | 'button'
  /** What the field is called. */
  name: string
  className?: string
}

function Line({ block, onChange, label, fault, field, name, className = '' }: FieldProps) {
  return (
    <RichText
      kind="line"
      label={`${label}: ${name}`}
      value={block[field] ?? ''}
      read={readLine}
      write={writeLine}
      onChange={(text) => onChange(withFields(block, { [field]: text }))}
      placeholder={name}
      className={className}
      isWrong={fault(field) !== undefined}
    />
  )
}

function Words({ block, onChange, label, fault, name }: Omit<FieldProps, 'field'>) {
  return (
    <RichText
      kind="text"
      label={`${label}: ${name}`}
      value={block.text ?? ''}
      read={readText}
      write={writeText}
      onChange={(text) => onChange(withFields(block, { text }))}
      placeholder={name}
      isWrong={fault('text') !== undefined}
    />
  )
}

function ProductBlock({ picture, ...props }: MailBlockProps & { picture: ReactNode }) {
  const w = furtherWords
  const { block, accent } = props
  return (
    <div className="mail-product" style={{ textAlign: (block.align ?? 'start') as 'start' }}>
      {picture}
      <Line {...props} field="name" name={w.name} className="mail-product-name" />
      <Line {...props} field="price" name={w.price} className="mail-product-price" />
      <Words {...props} name={blockWords.text} />
      {block.button !== undefined && (
        <div className="mail-button-row">
          <div className="mail-button" style={{ backgroundColor: accent, color: textOn(accent) }}>
            <Line {...props} field="button" name={w.buttonText} />
          </div>
        </div>
      )}
    </div>
  )
}

function ReceiptBlock({ block, onPick, label }: MailBlockProps) {
  const { rows = [], totals = [] } = block
  const hasQuantities = rows.some(({ quantity }) => quantity !== undefined)
  const line = ({ name, quantity, price }: Entry, n: number) => (
    <span key={n}>
      <span>{said(name)}</span>
      {hasQuantities && <span>{said(quantity)}</span>}
      <span>{said(price)}</span>
    </span>
  )
  return (
    // Its rows are a part of its name.
    <button type="button" onClick={onPick} className="mail-pick">
      <span className="sr-only">{label} </span>
      <span className="mail-receipt">{rows.map(line)}</span>
      <span className="mail-receipt is-totals">{totals.map(line)}</span>
    </button>
  )
}

const said = (written: Block['text']) => plain(readLine(written ?? ''))
