/**
 * What a mail has of the brand without a block of its own: the header and the footer, its font, corners
 * and colours. It loads after the canvas, which is quick without it.
 */
import { Link } from '@tanstack/react-router'
import type { Editor } from '@tiptap/core'
import { useContext, useLayoutEffect, useMemo, useRef } from 'react'
import { useBrand } from '../../api/brand.ts'
import { useBusinessId } from '../../api/businesses.ts'
import { cx } from '../../ui/classes.ts'
import { brandPartWords } from '../../words/brand-part.ts'
import type { Block } from '../blocks/model.ts'
import { frameOf, readable } from './block-look.tsx'
import { MailBlock } from './mail-block.tsx'
import { SurroundingsContext } from './rich-text.tsx'

/** As the server has them: `accounts/businesses/brand.ts`. */
const stacks = {
  system: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  arial: 'Arial, Helvetica, sans-serif',
  verdana: 'Verdana, Geneva, sans-serif',
  trebuchet: "'Trebuchet MS', Helvetica, sans-serif",
  georgia: "Georgia, 'Times New Roman', serif",
  times: "'Times New Roman', Times, serif",
  courier: "'Courier New', Courier, monospace",
}

/** `isHidden`: the mail has a header or a footer of its own. Colours and font hold all the same. */
export function BrandPart({
  part,
  accent,
  isHidden,
}: {
  part: 'header' | 'footer'
  accent: string
  isHidden: boolean
}) {
  const business_id = useBusinessId()
  const brand = useBrand()
  const place = useRef<HTMLDivElement>(null)
  const around = useContext(SurroundingsContext)
  const still = useMemo(() => around && { ...around, isEditable: false }, [around])
  const w = brandPartWords
  useLayoutEffect(() => {
    const card = place.current?.closest<HTMLElement>('.mail-card')
    const ground = card?.closest<HTMLElement>('.mail-ground')
    if (!brand || !card || !ground) return
    const colours = new Map(brand.colours.map(({ name, value }) => [name, value]))
    const behind = colours.get('card') ?? '#ffffff'
    const looks: Record<string, string | undefined> = {
      '--mail-page': colours.get('background'),
      '--mail-card': colours.get('card'),
      '--mail-ink': readable(colours.get('text') ?? '#24242b', behind),
      '--mail-radius': `${brand.radius}px`,
      '--mail-font': stacks[brand.font],
      ...Object.fromEntries(
        brand.colours.map(({ name, value }) => [`--mail-colour-${name}`, readable(value, behind)]),
      ),
    }
    for (const [name, value] of Object.entries(looks)) {
      if (value !== undefined) ground.style.setProperty(name, value)
    }
    card.style.setProperty('--mail-accent', readable(accent, behind))
  }, [brand, accent])
  const blocks = (brand?.[part] ?? []) as object[] as Block[]
  return (
    <div ref={place} className={cx(blocks.length > 0 && !isHidden && 'mail-of-brand')}>
      {!isHidden && blocks.length > 0 && (
        <SurroundingsContext value={still}>
          <div inert>
            {blocks.map((block, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places here.
              <div key={n} className="mail-block" style={frameOf(block, accent)}>
                <MailBlock
                  block={block}
                  onChange={() => {}}
                  label=""
                  fault={() => undefined}
                  accent={accent}
                  isFirstHeading={false}
                  onPick={() => {}}
                  onSlash={() => {}}
                  renderColumn={() => null}
                />
              </div>
            ))}
          </div>
          <Link
            to="/$business/brand"
            params={{ business: business_id }}
            className="mail-brand-link"
          >
            <span className="mail-brand-hint">{part === 'header' ? w.header : w.footer}</span>
          </Link>
        </SurroundingsContext>
      )}
    </div>
  )
}

const used = ['accent', 'text', 'background', 'card']

/** A button for each colour that the brand has beside those with a use. */
export function BrandColours({ editor }: { editor: Editor }) {
  const own = useBrand()?.colours.filter(({ name }) => !used.includes(name)) ?? []
  const w = brandPartWords
  return own.map(({ name, value }) => {
    const isActive = editor.isActive('colour', { name })
    return (
      <button
        key={name}
        type="button"
        aria-label={w.colour(name)}
        aria-pressed={isActive}
        title={w.colour(name)}
        // The choice stays in the words.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          const chain = editor.chain().focus()
          if (isActive) chain.unsetMark('colour').run()
          else chain.setMark('colour', { name }).run()
        }}
        className={cx(
          'inline-flex size-8 items-center justify-center rounded-md hover:bg-hover max-sm:size-10',
          isActive && 'bg-accent-ground',
        )}
      >
        <span
          aria-hidden
          className="size-4 rounded-full border border-line"
          style={{ backgroundColor: value }}
        />
      </button>
    )
  })
}
