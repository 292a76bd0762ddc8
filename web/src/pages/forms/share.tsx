/** Ways to publish a form. */
import { Code, CopyButton } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Body, Card } from '../../ui/page.tsx'
import { formWords } from '../../words/forms.ts'
import { words } from '../../words/words.ts'
import { EmbedCard } from './embed-card.tsx'
import { exampleOf, type Form } from './model.ts'

export function Share({ form }: { form: Form }) {
  const { share } = formWords
  const call = `form.submit ${JSON.stringify({ form_id: form.form_id, fields: exampleOf(form) })}`
  const ways = [
    ['link', form.share.link],
    ['script', form.share.script],
    ['html', form.share.html],
    ['iframe', form.share.iframe],
    ['call', call],
  ] as const
  return (
    <Body narrow>
      {form.status !== 'published' && (
        <p className="flex items-center gap-2 rounded-lg border border-line bg-warn-ground p-3">
          <Icon name="warn" className="shrink-0 text-warn" />
          {share.notPublished}
        </p>
      )}
      {ways.map(([way, text]) =>
        way === 'script' ? (
          <EmbedCard key={way} form={form} />
        ) : (
          <Card
            key={way}
            title={share[way].title}
            actions={
              <>
                {way === 'link' && form.status === 'published' && (
                  <a href={text} target="_blank" rel="noreferrer" className="px-2 text-link">
                    {share.open}
                  </a>
                )}
                <CopyButton text={text} label={words.copy} />
              </>
            }
          >
            <div className="grid gap-3">
              <p className="text-muted">{share[way].about}</p>
              <Code>{text}</Code>
              {way === 'link' && <QrCode form={form} />}
            </div>
          </Card>
        ),
      )}
    </Body>
  )
}

/** The link for print. The picture comes from this app's own host, whose policy allows it. */
function QrCode({ form: { form_id, name } }: { form: Form }) {
  const { share } = formWords
  const path = (kind: 'svg' | 'png') => `/f/${form_id}/qr.${kind}`
  return (
    <div className="flex flex-wrap items-center gap-4">
      <img
        src={path('svg')}
        alt={share.qr.alt(name)}
        width={112}
        height={112}
        className="rounded-lg border border-line bg-white"
      />
      <div className="grid gap-1">
        <a href={path('svg')} download={`${name}.svg`} className="text-link hover:underline">
          {share.qr.svg}
        </a>
        <a href={path('png')} download={`${name}.png`} className="text-link hover:underline">
          {share.qr.png}
        </a>
      </div>
    </div>
  )
}
