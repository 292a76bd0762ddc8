import type { gates as english } from './en.ts'

const list = (value: unknown) =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value)
const quoted = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).map((entry) => `„${String(entry)}“`).join(', ')

const features: Record<string, string> = {
  'css-border-radius': 'abgerundete Ecken',
  'css-box-shadow': 'Schatten',
  'css-text-shadow': 'Textschatten',
  'css-opacity': 'Transparenz',
  'css-animation': 'Animationen',
  'css-filter': 'Filter',
  'css-list-style-image': 'Bilder als Aufzählungszeichen',
  'css-at-font-face': 'eigene Schriften',
  'css-linear-gradient': 'Farbverläufe',
  'css-radial-gradient': 'radiale Farbverläufe',
  'css-background-image': 'Hintergrundbilder',
  'css-column-count': 'Textspalten',
  'css-variables': 'CSS-Variablen',
  'css-display-grid': 'Raster',
  'html-video': 'Videos',
  'html-audio': 'Ton',
  'html-svg': 'SVG im HTML',
  'html-hidden': 'das Attribut hidden',
  'image-svg': 'SVG-Bilder',
  'image-webp': 'WebP-Bilder',
  'image-avif': 'AVIF-Bilder',
  'image-heif': 'HEIC-Bilder',
  'image-tiff': 'TIFF-Bilder',
  'image-mp4': 'Filme als Bilder',
  'image-base64': 'Bilder im HTML',
}

const excluded: Record<string, string> = {
  no_email: 'ohne E-Mail-Adresse',
  no_phone: 'ohne Telefonnummer',
  not_subscribed: 'nicht angemeldet',
  invalid: 'mit ungültiger Adresse',
  suppressed: 'gesperrt',
  sent_recently: 'haben kürzlich eine Kampagne erhalten',
  capped: 'haben die Obergrenze erreicht',
}

const faults: Record<string, string> = {
  'cannot be asked from here': 'kann von hier aus nicht geprüft werden',
  'has a host name that does not exist': 'hat eine Domain, die es nicht gibt',
  'takes no connection': 'nimmt keine Verbindung an',
  'has no valid certificate': 'hat kein gültiges Zertifikat',
  'does not speak HTTP': 'spricht kein HTTP',
  'does not answer': 'antwortet nicht',
}

export const gates: typeof english = {
  passed: (count) => (count === 1 ? '1 Prüfung bestanden' : `${count} Prüfungen bestanden`),
  checks: {
    audience: { name: 'Empfänger', fine: 'Es gibt Empfänger.' },
    sender: { name: 'Absender', fine: 'Diese Adresse darf als Absender verwendet werden.' },
    unsubscribe_link: {
      name: 'Abmeldelink',
      fine: 'Jede E-Mail enthält einen Abmeldelink, auch für die Schaltfläche im E-Mail-Programm.',
    },
    postal_address: { name: 'Postanschrift', fine: 'Die Postanschrift steht im Fußbereich.' },
    consent: { name: 'Einwilligung', fine: 'Alle Empfänger haben zugestimmt.' },
    permission: {
      name: 'Erneute Einwilligung',
      fine: 'Ein Ja wird festgehalten, und niemand wird doppelt gefragt. Wer nach 21 Tagen nicht Ja gesagt hat, wird vom Newsletter abgemeldet.',
    },
    quota: { name: 'Kontingent', fine: 'Das Kontingent reicht für alle Empfänger.' },
    content: { name: 'Inhalt', fine: 'Der Inhalt ist vollständig.' },
    blocks: { name: 'Bedingte Bausteine', fine: 'Alle Empfänger sehen Inhalt.' },
    subject: { name: 'Betreff', fine: 'Der Betreff ist vollständig.' },
    variables: {
      name: 'Platzhalter',
      fine: 'Jeder Platzhalter hat einen Wert oder einen Ersatztext.',
    },
    size: { name: 'Größe', fine: 'Die E-Mail ist nicht zu groß.' },
    accessibility: {
      name: 'Barrierefreiheit',
      fine: 'Bilder haben Alternativtexte, und die Überschriften sind richtig geordnet.',
    },
    mail_programs: {
      name: 'E-Mail-Programme',
      fine: 'E-Mail-Programme zeigen alle Inhalte an.',
    },
    links: { name: 'Links', fine: 'Die geprüften Links funktionieren.' },
    segments: { name: 'Länge der SMS', fine: 'Die Länge der SMS ist in Ordnung.' },
    stop_word: { name: 'STOP', fine: 'Die SMS nennt die Abmeldung per STOP.' },
  },
  findings: {
    audience_gone: () => 'Ein Segment dieser Kampagne existiert nicht mehr.',
    audience_wish: ({ wish }) =>
      `Gewünscht war „${String(wish)}“, und kein Tag Ihrer Kontakte passt dazu.`,
    leads_nowhere: () =>
      'Der Abmeldelink wäre für Empfänger nicht erreichbar, weil diese Installation keine öffentliche https-Adresse hat.',
    unsubscribe_hidden: () =>
      'Der Abmeldelink am Ende wird von einem nicht geschlossenen Teil des HTML verschluckt.',
    no_postal_address: () =>
      'Werbung muss die Postanschrift des Absenders nennen, und für dieses Unternehmen ist keine eingetragen.',
    nobody_agreed: ({ everybody }) =>
      `Niemand von den ${String(everybody)} ausgewählten Personen hat zugestimmt und kann angeschrieben werden.`,
    agreed: ({ agreed, everybody }) =>
      `${String(agreed)} von ${String(everybody)} haben zugestimmt und können angeschrieben werden.`,
    permission_is_advertising: ({ excluded: rest }) =>
      `Auch eine E-Mail, die um Erlaubnis bittet, ist Werbung: Sie geht nur an Personen, deren Einwilligung festgehalten ist oder die Kunden sind. Die anderen erhalten sie nicht: ${countsOf(rest)}.`,
    no_answer_link: () =>
      'Sie bittet um Erlaubnis, und nichts darin führt zu der Seite, die die Antwort festhält.',
    asked_recently: ({ recipients, months }) =>
      `${String(recipients)} der Empfänger wurden in den letzten ${String(months)} Monaten schon um Erlaubnis gebeten.`,
    no_room: ({ out, of }) =>
      `Das Kontingent dieses Monats reicht für ${String(out)} von ${String(of)} nicht: Sie erhalten nichts.`,
    no_room_in_month: ({ channel, needs, left }) =>
      `Nach den letzten 30 Tagen wären es ${String(needs)} ${channel === 'sms' ? 'SMS' : 'E-Mails'} im Monat. Das Kontingent dieses Monats reicht noch für ${String(left)}.`,
    no_room_in_warm_up: ({ most, room }) =>
      `Der Absender wird noch aufgewärmt: An einem Tag wären bis zu ${String(most)} E-Mails fällig, und ein Anbieter bekommt heute höchstens ${String(room)}. Die übrigen warten.`,
    no_room_under_cap: ({ messages, days, max }) =>
      `${String(messages)} der Nachrichten fallen in ${Number(days) === 1 ? 'einen Tag' : `${String(days)} Tage`}, und eine Person bekommt höchstens ${String(max)}. Die übrigen warten oder entfallen.`,
    empty_slots: ({ slots }) => `Diese Angaben fehlen noch: ${quoted(slots)}.`,
    empty_slots_of_template: ({ slots, others }) =>
      `In einer E-Mail fehlen noch Angaben: ${quoted(slots)}.${Number(others) > 0 ? ` Weitere E-Mails, in denen etwas fehlt: ${String(others)}.` : ''}`,
    foreign_fields: ({ fields }) =>
      `Diese Felder eines anderen Dienstes würden so verschickt, wie sie dastehen: ${quoted(fields)}. Wählen Sie stattdessen Felder aus dem Menü.`,
    starter_words: ({ words }) => `Hier stehen noch Beispieltexte: ${quoted(words)}.`,
    bare_greeting: ({ line }) => `Die Anrede lautet für mindestens eine Person „${String(line)}“.`,
    comes_out_empty: () => 'Ohne Werte bleiben der Betreff oder der Inhalt leer.',
    block_seen: ({ place, seen, all }) =>
      `Baustein ${String(place)} sehen ${String(seen)} von ${String(all)}.`,
    sees_nothing: ({ people }) =>
      `Empfänger, die keinen einzigen Baustein sehen würden: ${String(people)}.`,
    block_unseen: ({ count }) => `Bausteine, die niemand sehen würde: ${String(count)}.`,
    no_action: ({ people }) =>
      `Empfänger, die weder eine Schaltfläche noch einen Link sehen würden: ${String(people)}.`,
    subject_open: ({ subject }) => `Der Betreff bricht mitten im Satz ab: „${String(subject)}“.`,
    empty_for_all: ({ name }) => `Der Platzhalter {{ ${String(name)} }} ist bei allen leer.`,
    empty_for_some: ({ name, count, of }) =>
      `Der Platzhalter {{ ${String(name)} }} ist bei ${String(count)} von ${String(of)} leer.`,
    not_provided: ({ names }) => `Diese Platzhalter haben nie einen Wert: ${list(names)}.`,
    too_large: ({ kb, most }) =>
      `Die E-Mail hat bis zu ${String(kb)} kB HTML. Gmail blendet alles nach ${String(most)} kB aus, auch den Abmeldelink.`,
    images_without_alt: ({ count }) =>
      Number(count) === 1
        ? 'Ein Bild hat keinen Alternativtext.'
        : `${String(count)} Bilder haben keinen Alternativtext.`,
    several_titles: ({ count }) =>
      `Es gibt ${String(count)} Überschriften der ersten Ebene. Behalten Sie eine als Titel.`,
    level_skipped: ({ level }) =>
      `Vor einer Überschrift der Ebene ${String(level)} fehlt eine der Ebene darüber.`,
    dropped_parts: ({ parts }) =>
      `E-Mail-Programme entfernen oder blockieren ${String(parts)} und halten solche E-Mails für einen Angriff. Verlinken Sie stattdessen auf eine Seite.`,
    comment_open: () =>
      'Ein Kommentar für Outlook hat kein Ende oder keinen Anfang: Zu jedem <!--[if mso]> gehört ein <![endif]-->.',
    vml_open: ({ shape }) =>
      `Das VML für Outlook ist unvollständig: <${String(shape)}> wird nicht richtig geschlossen.`,
    tables_deep: ({ depth, most }) =>
      `Tabellen sind ${String(depth)} Ebenen tief verschachtelt; Outlook für Windows zeigt nur ${String(most)} gut an.`,
    too_wide: ({ name, width, most }) =>
      `Ein <${String(name)}> ist ${String(width)} Pixel breit und wird auf Telefonen abgeschnitten. Schreiben Sie max-width: ${String(most)}px.`,
    hard_to_read: ({ words, contrast, least }) =>
      `„${String(words)}“ ist schwer zu lesen: Der Kontrast beträgt ${String(contrast)}, nötig sind ${String(least)}.`,
    ignored: ({ programs, feature, words }) =>
      `Nach den Daten von caniemail (dort nicht ausprobiert) fehlt in ${list(programs)}: ${features[String(feature)] ?? String(words)}.`,
    incomplete_links: ({ urls }) =>
      `Links ohne vollständige Adresse funktionieren in einer E-Mail nicht: ${quoted(urls)}. Schreiben Sie sie mit https:// und der Domain.`,
    incomplete_images: ({ urls }) =>
      `Bilder ohne vollständige Adresse erscheinen in einer E-Mail nicht: ${quoted(urls)}. Schreiben Sie sie mit https:// und der Domain.`,
    dead_link: ({ url, fault }) => `${String(url)} ${faultOf(String(fault))}.`,
    links_checked: ({ links, checked }) =>
      `Von ${String(links)} Links wurden ${String(checked)} geprüft.`,
    links_unchecked: () =>
      'Nicht alle Links wurden geprüft: Es waren zu viele, oder ein Server ist langsam. Prüfen Sie in einer Minute noch einmal.',
    foreign_links: ({ links }) =>
      `Nicht geprüfte Links, weil eine App dies geschrieben hat: ${String(links)}. Eine Prüfung könnte ihren Servern verraten, was die App gelesen hat.`,
    personal_hosts: ({ hosts }) =>
      `Links oder Bilder teilen ${list(hosts)} etwas über jeden Empfänger mit.`,
    parts: ({ usual, most, wide }) =>
      `Die SMS braucht ${String(usual)} Teile, höchstens ${String(most)}. Jeder Teil kostet.${wide === true ? ' Einige Zeichen gehören nicht zu GSM-7, deshalb passt weniger in einen Teil.' : ''}`,
    no_stop: () => 'In der SMS steht nicht, wie man sich abmeldet.',
  },
  advice: {
    audience: 'Wählen Sie im ersten Schritt die Empfänger.',
    sender: 'Unter „Domains“ steht, was noch fehlt.',
    unsubscribe_link:
      'Schließen Sie im HTML alle Kommentare, Stile und Titel, oder fügen Sie einen Abmeldelink ein.',
    postal_address: 'Tragen Sie sie in den Einstellungen des Unternehmens ein.',
    consent:
      'Wählen Sie andere Empfänger, oder tragen Sie erteilte Einwilligungen bei den Kontakten ein.',
    permission:
      'Verlinken Sie die Schaltfläche mit der Einstellungsseite, und nehmen Sie alle aus, die in den letzten sechs Monaten gefragt wurden.',
    quota:
      'Wählen Sie weniger Empfänger, warten Sie bis zum nächsten Monat, oder erweitern Sie den Tarif.',
    content: 'Ergänzen Sie, was fehlt, oder löschen Sie den Baustein.',
    blocks: 'Prüfen Sie, wer welchen Baustein sieht.',
    subject: 'Vervollständigen Sie den Betreff.',
    variables: 'Wählen Sie das Feld im Inhalt aus, und geben Sie ihm einen Ersatztext.',
    size: 'Kürzen Sie die E-Mail.',
    accessibility:
      'Ergänzen Sie fehlende Alternativtexte, und halten Sie die Reihenfolge der Überschriften ein.',
    mail_programs: 'Ersetzen Sie, was manche E-Mail-Programme nicht anzeigen.',
    links: 'Prüfen Sie diese Links im Inhalt.',
    segments: 'Kürzen Sie die SMS.',
    stop_word: 'Ergänzen Sie „Abmelden mit STOP“.',
  },
}

function faultOf(fault: string): string {
  const status = /^answers (\d{3})$/.exec(fault)?.[1]
  return status === undefined ? (faults[fault] ?? fault) : `antwortet mit ${status}`
}

function countsOf(rest: unknown): string {
  const entries = Array.isArray(rest) ? (rest as { reason: string; count: number }[]) : []
  return entries.map(({ reason, count }) => `${count} ${excluded[reason] ?? reason}`).join(', ')
}
