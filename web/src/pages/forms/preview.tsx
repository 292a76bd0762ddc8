/** The form as visitors will see it, while it is being built. It accepts no input. */
import { type ReactNode, useState } from 'react'
import { useBrand, useLanguage } from '../../api/brand.ts'
import { fontStacks, wordsOn } from '../../parts/brand-looks.ts'
import { hostedWordsIn } from '../../parts/hosted-words.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { formWords } from '../../words/forms.ts'
import type { DraftField, FormDraft } from './model.ts'

export function Preview({ draft }: { draft: FormDraft }) {
  const forms = formWords
  const [isPhone, setPhone] = useState(false)
  const [isDark, setDark] = useState(false)
  const { title, intro, submit, colour } = draft.page
  const brand = useBrand()
  const language = useLanguage()
  const words = hostedWordsIn(language)
  const accent = /^#[0-9a-f]{6}$/i.test(colour)
    ? colour
    : brand?.colours.find(({ name }) => name === 'accent')?.value
  const borderRadius = brand?.radius
  const logo = (isDark && brand?.logo?.dark_url) || brand?.logo?.url
  return (
    <div className="min-w-0 lg:sticky lg:top-16">
      <Card
        flush
        title={forms.preview}
        actions={
          <>
            <IconButton
              icon="phone"
              label={forms.phone}
              aria-pressed={isPhone}
              className={isPhone ? 'bg-hover text-ink' : ''}
              onClick={() => setPhone(!isPhone)}
            />
            <IconButton
              icon="moon"
              label={forms.dark}
              aria-pressed={isDark}
              className={isDark ? 'bg-hover text-ink' : ''}
              onClick={() => setDark(!isDark)}
            />
          </>
        }
      >
        <div
          inert
          lang={language}
          className={cx(
            'bg-ground p-6 text-ink max-sm:p-4',
            isDark ? 'scheme-dark' : 'scheme-light',
          )}
          style={brand && { fontFamily: fontStacks[brand.font] }}
        >
          {logo && <img src={logo} alt="" className="mx-auto mb-4 max-h-10 max-w-40" />}
          <div
            className={cx(
              'mx-auto grid gap-4 rounded-xl border border-line bg-surface p-6 shadow-flat max-sm:p-4',
              isPhone ? 'max-w-80' : 'max-w-md',
            )}
          >
            <p className="text-xl font-semibold">
              <bdi>{title || draft.name}</bdi>
            </p>
            {intro !== '' && (
              <p className="whitespace-pre-line text-muted">
                <bdi>{intro}</bdi>
              </p>
            )}
            {draft.fields.map((field) => (
              <Shown key={field.id} field={field} required={words.required} />
            ))}
            <span
              className="justify-self-start rounded-md bg-accent px-4 py-2 font-medium text-on-accent"
              style={{
                borderRadius,
                ...(accent && { backgroundColor: accent, color: wordsOn(accent) }),
              }}
            >
              <bdi>{submit || words.submit}</bdi>
            </span>
          </div>
        </div>
      </Card>
    </div>
  )
}

const box = 'flex items-center justify-end rounded-md border border-line-strong bg-surface px-2'

function Shown({ field, required }: { field: DraftField; required: string }) {
  const { type } = field
  const options = type === 'rating' ? ['1', '2', '3', '4', '5'] : (field.options ?? [])
  const isRound = type === 'radio' || type === 'rating'
  if (type === 'hidden') return null
  const label = (
    <>
      <bdi>{field.label}</bdi>
      {field.required && <span className="text-sm text-muted"> ({required})</span>}
    </>
  )
  if (type === 'consent' || type === 'boolean') return <Tick>{label}</Tick>
  return (
    <div className="grid gap-1">
      <span className="font-medium">{label}</span>
      {isRound || type === 'several-of' || type === 'topics' ? (
        options.map((option) => (
          <Tick key={option} round={isRound}>
            <bdi>{option}</bdi>
          </Tick>
        ))
      ) : (
        <span className={cx(box, type === 'textarea' ? 'h-20' : 'h-9')}>
          {(type === 'select' || type === 'country') && <Icon name="down" className="text-muted" />}
        </span>
      )}
    </div>
  )
}

function Tick({ children, round }: { children: ReactNode; round?: boolean }) {
  return (
    <span className="flex items-start gap-2">
      <span
        className={cx(
          'mt-0.5 size-4 shrink-0 border border-line-strong bg-surface',
          round ? 'rounded-full' : 'rounded',
        )}
      />
      <span className="min-w-0">{children}</span>
    </span>
  )
}
