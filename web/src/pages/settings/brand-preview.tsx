/** A small mail and a form as they look in the brand. */
import { useState } from 'react'
import { useLanguage } from '../../api/brand.ts'
import { fontStacks, wordsOn } from '../../parts/brand-looks.ts'
import { MailFrame, type MailView } from '../../parts/content/mail-frame.tsx'
import { hostedWordsIn } from '../../parts/hosted-words.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { brandWords } from '../../words/brand.ts'
import type { Brand } from './brand-model.ts'

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
              label={text.previewDark}
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
  const language = useLanguage()
  const words = hostedWordsIn(language)
  const colourOf = (name: string) => brand.colours.find((colour) => colour.name === name)?.value
  const accent = colourOf('accent')
  const borderRadius = brand.radius
  return (
    <div
      inert
      lang={language}
      className="grid gap-4 bg-ground p-6 text-ink scheme-light"
      style={{ fontFamily: fontStacks[brand.font] }}
    >
      {brand.logo?.url && (
        <img
          src={brand.logo.url}
          alt=""
          className="block h-auto max-w-full"
          width={brand.logo.width}
        />
      )}
      <p className="text-xl font-semibold">{words.title}</p>
      <div className="grid gap-1">
        <span className="text-sm font-medium">{words.email}</span>
        <span className="h-9 border border-line-strong bg-surface" style={{ borderRadius }} />
      </div>
      <span
        className="justify-self-start bg-accent px-4 py-2 font-medium text-on-accent"
        style={{ borderRadius, ...(accent && { backgroundColor: accent, color: wordsOn(accent) }) }}
      >
        {words.subscribe}
      </span>
    </div>
  )
}
