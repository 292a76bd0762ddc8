/** A small mail and a form as they look in the brand. */
import { useState } from 'react'
import { MailFrame, type MailView } from '../../parts/content/mail-frame.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { brandWords } from '../../words/brand.ts'
import type { Brand } from './brand-model.ts'

/** As the server has them: `accounts/businesses/brand.ts`. */
const stacks: Record<Brand['font'], string> = {
  system: 'inherit',
  arial: 'Arial, Helvetica, sans-serif',
  verdana: 'Verdana, Geneva, sans-serif',
  trebuchet: "'Trebuchet MS', Helvetica, sans-serif",
  georgia: "Georgia, 'Times New Roman', serif",
  times: "'Times New Roman', Times, serif",
  courier: "'Courier New', Courier, monospace",
}

export function BrandPreview({ brand, html }: { brand: Brand; html: string | null | undefined }) {
  const text = brandWords
  const [isDark, setDark] = useState(false)
  const view: MailView = isDark ? 'dark' : 'phone'
  return (
    <div className="grid min-w-0 content-start gap-6 lg:sticky lg:top-16 lg:self-start">
      {html && (
        <Card
          flush
          title={text.mail}
          actions={
            <IconButton
              icon="moon"
              label={text.logo.dark}
              aria-pressed={isDark}
              className={isDark ? 'bg-hover text-ink' : ''}
              onClick={() => setDark(!isDark)}
            />
          }
        >
          <MailFrame html={html} view={view} title={text.mail} />
        </Card>
      )}
      <Card flush title={text.form}>
        <FormSample brand={brand} />
      </Card>
    </div>
  )
}

function FormSample({ brand }: { brand: Brand }) {
  const text = brandWords
  const colourOf = (name: string) => brand.colours.find((colour) => colour.name === name)?.value
  const accent = colourOf('accent')
  const borderRadius = brand.radius
  return (
    <div
      inert
      className="grid gap-4 bg-ground p-6 text-ink scheme-light"
      style={{ fontFamily: stacks[brand.font] }}
    >
      {brand.logo?.url && (
        <img
          src={brand.logo.url}
          alt=""
          className="block h-auto max-w-full"
          width={brand.logo.width}
        />
      )}
      <p className="text-xl font-semibold">{text.formTitle}</p>
      <div className="grid gap-1">
        <span className="text-sm font-medium">{text.formField}</span>
        <span className="h-9 border border-line-strong bg-surface" style={{ borderRadius }} />
      </div>
      <span
        className="justify-self-start bg-accent px-4 py-2 font-medium text-on-accent"
        style={{ borderRadius, ...(accent && { backgroundColor: accent, color: wordsOn(accent) }) }}
      >
        {text.formButton}
      </span>
    </div>
  )
}

/** White where it can be read, else black, as the server decides it. */
function wordsOn(colour: string): string {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
  return 1.05 / (light + 0.05) >= 4.5 ? '#ffffff' : '#000000'
}
