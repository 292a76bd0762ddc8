/** Up to five colours, each with its contrast, which one click mends. */
import { Button } from '../../ui/button.tsx'
import { ColourField, Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { brandWords } from '../../words/brand.ts'
import type { Brand, BrandProps } from './brand-model.ts'

const usedNames = ['accent', 'text', 'card', 'background'] as const
const mostColours = 5

export function BrandColours({
  brand,
  change,
  fault,
  contrast,
}: BrandProps & { contrast: Brand['contrast'] }) {
  const { colours: text } = brandWords
  const { colours } = brand
  const set = (name: string, value: string) => {
    const others = colours.filter((colour) => colour.name !== name)
    const isThere = others.length < colours.length
    const next = isThere
      ? colours.map((colour) => (colour.name === name ? { name, value } : colour))
      : [...colours, { name, value }]
    change({ colours: value === '' ? others : next })
  }
  const faultAt = (name: string) => {
    const at = colours.findIndex((colour) => colour.name === name)
    return fault(`colours[${at}].value`) ?? fault(`colours[${at}].name`)
  }
  const own = colours.find(({ name }) => !usedNames.some((used) => used === name))
  const hasRoom = own !== undefined || colours.length < mostColours
  return (
    <Card title={text.title}>
      <div className="grid gap-4 sm:grid-cols-2">
        {usedNames.map((name) => (
          <div key={name} className="grid content-start gap-1">
            <ColourField
              label={text.names[name]}
              pickLabel={text.pick(text.names[name])}
              hint={text.hints[name]}
              usual={/#[0-9a-f]{6}/.exec(text.hints[name])?.[0]}
              value={colours.find((colour) => colour.name === name)?.value ?? ''}
              onChange={({ target }) => set(name, target.value)}
              fault={faultAt(name)}
            />
            <Contrast contrast={contrast} {...{ name, set, colours }} />
          </div>
        ))}
        {hasRoom && (
          <>
            <Input
              label={text.ownName}
              hint={text.ownHint}
              maxLength={20}
              value={own?.name ?? ''}
              onChange={({ target }) => {
                const name = target.value.toLowerCase()
                const others = colours.filter((colour) => colour !== own)
                const value = own?.value ?? '#4338ca'
                change({ colours: name === '' ? others : [...others, { name, value }] })
              }}
              fault={own && faultAt(own.name)}
            />
            {own && (
              <div className="grid content-start gap-1">
                <ColourField
                  label={text.own}
                  pickLabel={text.pick(own.name)}
                  value={own.value}
                  onChange={({ target }) => set(own.name, target.value)}
                />
                <Contrast name={own.name} {...{ contrast, set, colours }} />
              </div>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

/** Of the colour as it was judged last, which is a moment behind what is typed. */
function Contrast({
  name,
  colours,
  contrast,
  set,
}: {
  name: string
  colours: Brand['colours']
  contrast: Brand['contrast']
  set: (name: string, value: string) => void
}) {
  const { colours: text } = brandWords
  const judged = contrast.find((colour) => colour.name === name)
  if (!judged || !colours.some((colour) => colour.name === name)) return null
  const { ratio, enough, mended } = judged
  const shown = ratio.toLocaleString(document.documentElement.lang || 'en')
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm" aria-live="polite">
      <span className={enough ? 'text-muted' : 'text-warn'}>
        {enough ? text.enough(shown) : text.faint(shown)}
      </span>
      {mended !== null && (
        <Button onClick={() => set(name, mended)}>
          <span
            aria-hidden
            className="size-3 rounded-full border border-line"
            style={{ backgroundColor: mended }}
          />
          {text.mend(mended)}
        </Button>
      )}
    </p>
  )
}
