/** Ways to publish a form. */
import { Code, CopyButton } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Body, Card } from '../../ui/page.tsx'
import { formWords } from '../../words/forms.ts'
import { words } from '../../words/words.ts'
import { exampleOf, type Form } from './model.ts'

export function Share({ form }: { form: Form }) {
  const { share } = formWords
  const call = `form.submit ${JSON.stringify({ form_id: form.form_id, fields: exampleOf(form) })}`
  const ways = [
    ['link', form.share.link],
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
      {ways.map(([way, text]) => (
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
          </div>
        </Card>
      ))}
    </Body>
  )
}
