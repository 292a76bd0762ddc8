/** How much marketing each provider gets from a domain that it does not know yet. */
import type { api } from '../../api/client.ts'
import { providerName } from '../../parts/provider-name.ts'
import { SharesBar } from '../../ui/shares-bar.tsx'
import { domainWords } from '../../words/domains.ts'
import { pastVolumeWords } from '../../words/past-volume.ts'
import { ago, number } from '../../words/words.ts'
import { PastVolume } from './past-volume.tsx'

type Domain = Awaited<ReturnType<typeof api.domain.status>>['domains'][number]
type WarmUpOfDomain = NonNullable<Domain['warm_up']>

export function WarmUp({ warmUp, domain }: { warmUp: WarmUpOfDomain; domain: Domain }) {
  const { warmUp: texts } = domainWords
  const { days, providers, new_provider } = warmUp
  const isAhead = new_provider.today !== null && new_provider.days_left < days.length
  return (
    <section className="grid gap-2 border-t border-line px-4 py-3">
      <h3 className="font-medium">{texts.title}</h3>
      <p className="text-muted">{texts.text(number(days[0] ?? 0), number(days.length))}</p>
      {providers.length === 0 && <p>{texts.none}</p>}
      <ul className="divide-y divide-line">
        {providers.map((line) => (
          <Line key={line.provider} line={line} />
        ))}
      </ul>
      {isAhead && <p>{pastVolumeWords.newProvider(number(new_provider.today ?? 0))}</p>}
      {domain.status === 'verified' && <PastVolume domain={domain} />}
    </section>
  )
}

function Line({ line }: { line: WarmUpOfDomain['providers'][number] }) {
  const { warmUp: texts } = domainWords
  const { provider, today, sent_today, days_left, held } = line
  const name = providerName(provider) ?? provider
  const sent = number(sent_today)
  const said = today === null ? texts.free(sent) : texts.today(sent, number(today))
  return (
    <li className="grid gap-1 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="min-w-0 flex-1 truncate font-medium sm:w-44 sm:flex-none">{name}</bdi>
        <span className="order-last basis-full sm:order-none sm:flex-1 sm:basis-0">
          {today !== null && (
            <SharesBar
              label={`${name}: ${said}`}
              whole={today}
              shares={[{ value: sent_today, look: held ? 'fill-warn' : 'fill-accent' }]}
            />
          )}
        </span>
        <span className="text-sm tabular-nums">{said}</span>
        {days_left > 0 && (
          <span className="text-sm text-muted tabular-nums">
            {texts.daysLeft(number(days_left))}
          </span>
        )}
      </div>
      {held && <p>{texts.held[held.by](ago(held.until))}</p>}
    </li>
  )
}
