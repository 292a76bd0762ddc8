/** The mail of a campaign as it was sent, with the clicks of people drawn at each link. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useBusinessId } from '../../../api/businesses.ts'
import { api } from '../../../api/client.ts'
import { MailFrame } from '../../../parts/content/mail-frame.tsx'
import { useFilledWords } from '../../../parts/liquid/filled-words.tsx'
import { languageName } from '../../../parts/recipient-languages.ts'
import { Select } from '../../../ui/field.tsx'
import { Failure, Skeleton } from '../../../ui/states.tsx'
import { campaignWords } from '../../../words/campaigns.ts'
import { contentWords } from '../../../words/content.ts'
import { number, percent } from '../../../words/words.ts'
import { letterOf } from '../ab-test/letter.ts'
import type { WholeCampaign } from '../campaign.tsx'
import { drawClicks, type Mark } from './draw-clicks.ts'
import { looks, noClicks } from './strength.ts'

type ClickedLink = NonNullable<Awaited<ReturnType<typeof api.campaign.sample>>['clicks']>[number]

export function ClicksOnMail({ campaign }: { campaign: WholeCampaign }) {
  const { campaign_id, variants, links } = campaign
  const w = contentWords.clicks
  const business_id = useBusinessId()
  const [variant, setVariant] = useState(0)
  const [language, setLanguage] = useState('')
  const shown = variants.find((one) => one.variant === variant)
  const translations = Object.keys(shown?.content?.translations ?? {})
  const spoken = translations.includes(language) ? language : ''
  const { data, error, refetch } = useQuery({
    queryKey: ['campaign.sample', business_id, campaign_id, 'clicks', variant, spoken, links],
    queryFn: ({ signal }) => {
      const of = { variant, ...(spoken !== '' && { language: spoken }) }
      return api.campaign.sample(
        { business_id, campaign_id, data: 'sample', clicks: true, ...of },
        { signal },
      )
    },
    placeholderData: keepPreviousData,
  })
  const sent = shown?.counts['sent'] ?? 0
  const filledWords = useFilledWords()
  return (
    <div className="grid gap-3">
      {(variants.length > 1 || translations.length > 0) && (
        <div className="grid gap-3 sm:grid-cols-2">
          {variants.length > 1 && (
            <Select
              label={w.variant}
              value={String(variant)}
              onChange={({ target }) => setVariant(Number(target.value))}
              options={variants.map((one): [string, string] => [
                String(one.variant),
                `${letterOf(one.variant)}: ${filledWords(one.subject ?? '')}`,
              ])}
            />
          )}
          {translations.length > 0 && (
            <Select
              label={w.language}
              value={spoken}
              onChange={({ target }) => setLanguage(target.value)}
              options={[
                ['', w.firstLanguage],
                ...translations.map((tag): [string, string] => [tag, languageName(tag)]),
              ]}
            />
          )}
        </div>
      )}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data &&
        (data.html === null ? (
          <p>{w.noHtml}</p>
        ) : (
          <Drawn html={data.html} clicks={data.clicks ?? []} sent={sent} />
        ))}
      {data && data.html !== null && (
        <p className="text-sm text-muted">
          {w.about(number(sent))} {w.repeated}{' '}
          {data.clicks?.some(({ personal }) => personal) && `${w.personal} `}
          {translations.length > 0 && w.languages}
        </p>
      )}
    </div>
  )
}

interface DrawnProps {
  html: string
  clicks: readonly ClickedLink[]
  sent: number
}

function Drawn({ html, clicks, sent }: DrawnProps) {
  const w = contentWords.clicks
  const shareOf = (people: number) => percent(people / Math.max(1, sent))
  // By their values, so that an answer that says the same draws nothing anew.
  const told = JSON.stringify(
    clicks.map(({ url, people }): [string, Mark] => [
      url,
      { people, text: people === 0 ? number(0) : w.share(number(people), shareOf(people)) },
    ]),
  )
  const marks = useMemo(() => new Map(JSON.parse(told) as [string, Mark][]), [told])
  const draw = useCallback((page: Document) => drawClicks(page, marks), [marks])
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <Legend />
      <MailFrame html={html} view="desktop" title={campaignWords.results.clicks} onWritten={draw} />
      <ul aria-label={w.links} className="sr-only">
        {clicks.map(({ url, people, machines }) => (
          <li key={url}>
            <bdi>{url}</bdi> {w.line(number(people), shareOf(people), number(machines))}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Legend() {
  const w = contentWords.clicks
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2 text-sm text-muted">
      <span className="flex items-center gap-1.5">
        <Swatch ground={noClicks.ground} dashed />
        {w.none}
      </span>
      <span className="flex items-center gap-1.5">
        {w.few}
        <span role="img" aria-label={w.legend} className="flex gap-0.5">
          {looks.map(({ ground }) => (
            <Swatch key={ground} ground={ground} />
          ))}
        </span>
        {w.many}
      </span>
    </div>
  )
}

function Swatch({ ground, dashed }: { ground: string; dashed?: boolean }) {
  return (
    <svg viewBox="0 0 16 12" aria-hidden="true" className="h-3 w-4">
      <rect
        x="0.5"
        y="0.5"
        width="15"
        height="11"
        rx="2.5"
        fill={ground}
        stroke="#8b8b96"
        {...(dashed && { strokeDasharray: '2 2' })}
      />
    </svg>
  )
}
