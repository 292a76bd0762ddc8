import type { refusals as english } from '../en/refusals.ts'

export const refusals: typeof english = {
  reasons: {
    not_json: () => 'Das ist kein gültiges JSON.',
    ambiguous_json: () =>
      'In diesem JSON ist ein Wert mehrdeutig: eine zu große Zahl oder ein doppelter Name.',
    masked_condition: () =>
      'Diese Verbindung sieht Adressen und Nummern verdeckt und kann sie nur als Ganzes vergleichen.',
    other_cursor: () => 'Diese Stelle der Liste gibt es nicht. Laden Sie die Seite neu.',
    several_businesses: () => 'Wählen Sie zuerst eines Ihrer Unternehmen.',
    variables_too_large: () => 'Die Werte für die Platzhalter sind zusammen zu groß.',
    relay_feedback: () =>
      'Werbung wartet noch: Vom Mailserver dieses Dienstes kam noch keine Rückmeldung. Bitten Sie den Betreiber, ihn zu testen.',
    keys_changing: () => 'Die Schlüssel dieser Domain werden gerade gewechselt.',
    domain_being_checked: () =>
      'Diese Domain wird gerade geprüft. Versuchen Sie es gleich noch einmal.',
    none_can_be_sent: () => 'Keine dieser E-Mails kann gesendet werden.',
    none_waits: () => 'Keine dieser E-Mails wartet mehr: Jemand hat schon entschieden.',
    sample_unread: () => 'Lesen Sie zuerst die Stichprobe.',
    many_proposals: () => 'Es warten schon zu viele vorgeschlagene E-Mails.',
    removal_over: () => 'Das ist schon erledigt oder abgebrochen.',
    sending_stopped: () =>
      'Der gesamte Versand ist gestoppt. Setzen Sie ihn auf der Seite „Verbindungen“ fort.',
    stopped: () => 'Von einer Person gestoppt. Setzen Sie es auf der Seite „Verbindungen“ fort.',
    wrong_factor_code: () =>
      'Dieser Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.',
    last_factor: () =>
      'Das ist Ihr letzter zweiter Faktor, und einer ist Pflicht. Fügen Sie zuerst einen anderen hinzu.',
    app_not_started: () => 'Das hat länger als 30 Minuten gedauert. Beginnen Sie von vorn.',
    no_factor: () => 'Fügen Sie zuerst einen Passkey oder eine Authentifizierungs-App hinzu.',
    fresh_factor: () => 'Bestätigen Sie zuerst mit Passkey oder Code, dass Sie es sind.',
    second_factor: () =>
      'Hier ist ein zweiter Faktor Pflicht. Benutzen Sie ihn, oder richten Sie unter „Sitzungen“ einen ein.',
    new_factor: () =>
      'Ihr zweiter Faktor wurde allein mit Ihrem Postfach eingerichtet und gilt nach 24 Stunden. Bis dahin können Sie nur lesen; ein Inhaber kann ihn auf der Seite „Mitglieder“ sofort bestätigen.',
    accept_by_operator: () =>
      'Auch ein anderes Unternehmen dieses Mitglieds verlangt einen zweiten Faktor: Er gilt nach 24 Stunden, oder sobald der Betreiber ihn bestätigt.',
    own_business: () => 'Dieses Unternehmen gehört Ihnen schon.',
    same_address: () => 'Das ist schon Ihre Adresse.',
    address_taken: () => 'Diese Adresse gehört inzwischen zu einem anderen Konto.',
    no_offer: () => 'Dieses Unternehmen wird Ihnen nicht mehr angeboten.',
    own_hold: () =>
      'Melden Sie sich wieder bei Ihrer Firma an, oder bitten Sie einen anderen Inhaber.',
    held: () =>
      'Die Firmenanmeldung bestätigt Sie nicht mehr. Melden Sie sich dort wieder an, oder bitten Sie einen Inhaber, Sie auf der Seite „Mitglieder“ freizugeben.',
    own_factors: () =>
      'Ihre eigenen Faktoren ändern Sie unter „Sitzungen“. Haben Sie alle verloren, setzt ein anderer Inhaber oder der Betreiber sie zurück.',
    reset_by_operator: () =>
      'Auch ein anderes Unternehmen verlangt von diesem Mitglied einen zweiten Faktor. Nur der Betreiber kann ihn zurücksetzen.',
    address_not_verified: () =>
      'Diese Adresse wurde nicht bestätigt. Melden Sie sich per E-Mail an.',
    unknown_sign_in: () => 'Diese Anmeldung wurde nicht hier begonnen. Beginnen Sie von vorn.',
    provider_not_accepted: () =>
      'Die Anmeldung bei Ihrer Firma wurde nicht angenommen. Versuchen Sie es erneut.',
    provider_cancelled: () => 'Ihre Firma hat Sie nicht angemeldet. Versuchen Sie es erneut.',
    sign_in_over: () =>
      'Diese Anmeldung wurde schon verwendet oder ist älter als 10 Minuten. Beginnen Sie von vorn.',
    sign_in_again: () => 'Melden Sie sich mit dieser Adresse erneut an, bevor Sie sie verknüpfen.',
    foreign_domain: () => 'Die Anmeldung Ihrer Firma gilt nicht für Personen dieser Mail-Domain.',
    no_group: () => 'Keine Ihrer Gruppen hat hier eine Rolle.',
    no_company: () => 'Für diese Adresse gibt es keine Firmenanmeldung.',
    wrong_issuer: () =>
      'Der Issuer ist die https://-Adresse, mit der sich der Anbieter selbst nennt, ohne Query und Fragment.',
    secret_anew: () => 'Das ist ein anderer Issuer. Geben Sie auch dessen Client-Secret an.',
    company_only: () => 'Bei Ihrer Firma melden sich alle nur über die Firma an.',
    break_glass: () =>
      'Ihr Unternehmen behält diesen Passkey für den Fall, dass die Firmenanmeldung ausfällt. Speichern Sie sie zuerst mit einem anderen.',
    needs_passkey: () =>
      'Bestätigen Sie mit einem Passkey: Er meldet Sie auch an, wenn der Anbieter ausfällt.',
    passkey_not_accepted: () => 'Der Passkey wurde nicht angenommen. Versuchen Sie es erneut.',
    passkey_unknown: () => 'Dieser Passkey gehört nicht zu Ihnen. Vielleicht wurde er entfernt.',
    passkey_copied: () =>
      'Dieser Passkey hat geantwortet, wie es eine Kopie täte, und wurde abgewiesen. Entfernen Sie ihn, wenn Sie sich nicht sicher sind.',
    passkey_late: () =>
      'Das hat zu lange gedauert oder wurde schon beantwortet. Benutzen Sie den Passkey erneut.',
    passkeys_full: () => 'Sie haben so viele Passkeys wie möglich. Entfernen Sie zuerst einen.',
    passkey_known: () => 'Dieser Passkey ist bereits hinterlegt.',
    passkeys_need_https: () =>
      'Passkeys brauchen eine Adresse mit https. Melden Sie sich per E-Mail an.',
    unknown_field: () => 'Dieses Feld ist hier nicht bekannt.',
    missing: () => 'Bitte ausfüllen.',
    not_a_choice: ({ allowed }) => `Möglich ist nur: ${String(allowed)}.`,
    wrong_form: () => 'Diese Angabe hat nicht die richtige Form.',
    wrong_type: () => 'Diese Angabe hat nicht die richtige Art.',
    empty: () => 'Bitte ausfüllen.',
    too_short: ({ limit }) =>
      Number(limit) === 1 ? 'Bitte ausfüllen.' : `Mindestens ${String(limit)} Zeichen.`,
    too_long: ({ limit }) => `Höchstens ${String(limit)} Zeichen.`,
    too_few: ({ limit }) => `Mindestens ${String(limit)} Einträge.`,
    too_many: ({ limit }) => `Höchstens ${String(limit)} Einträge.`,
    below_minimum: ({ limit }) => `Mindestens ${String(limit)}.`,
    above_maximum: ({ limit }) => `Höchstens ${String(limit)}.`,
    address_of_another: () =>
      'Diese Adresse oder Telefonnummer gehört schon zu einem anderen Kontakt.',
    marketing_not_moved: () =>
      'Marketing-Nachrichten lassen sich nicht verschieben. Brechen Sie die Nachricht ab und senden Sie sie neu.',
    recipient_twice: () => 'Diese Adresse steht schon einmal da.',
    several_recipients: () =>
      'Marketing geht an eine Person. Senden Sie jeder eine eigene Nachricht.',
    external_id_of_another: () =>
      'Zu dieser Adresse oder Telefonnummer gehört schon eine andere externe ID.',
    erased: () =>
      'Diese Person wurde aus dem Unternehmen gelöscht und kann nicht wieder hinzugefügt werden.',
    stop: () =>
      'Diese Person hat per SMS STOP geantwortet. Nur sie selbst kann das mit START aufheben.',
    name_taken: () => 'Diesen Namen gibt es schon. Wählen Sie einen anderen.',
    in_use: () => 'Das wird noch verwendet. Ändern Sie zuerst, was es verwendet.',
    too_many_segments: () =>
      'Es gibt schon so viele Segmente wie möglich. Löschen Sie zuerst eines.',
    domain_not_verified: () => 'Diese Domain ist noch nicht verifiziert und kann nicht senden.',
    too_late: () => 'Dafür ist es zu spät: Die Nachricht ist schon unterwegs oder beendet.',
    changed_meanwhile: () =>
      'Das wurde inzwischen geändert. Laden Sie es neu und sehen Sie es sich noch einmal an.',
    approval_limit: () =>
      'Das sind mehr Empfänger, als ohne Freigabe erlaubt sind. Eine Person muss die Kampagne freigeben.',
    release_by_person: () =>
      'So viele zurückgehaltene Bestätigungen gibt nur eine Person in der App frei.',
    approval: () =>
      'In diese Automation sind mehr Personen gekommen, als freigegeben wurden. Eine Person setzt sie in der App fort.',
    drifted: () =>
      'Inhalt, Regel oder Absender haben sich seit der Vorschau geändert. Bitte die Vorschau neu ansehen.',
    sender_changed: () =>
      'Der Absender ist ein anderer als der freigegebene. Sehen Sie sich die Vorschau an und starten Sie die Automation neu.',
    two_people: () =>
      'Für die zweite Person braucht es genügend Mitglieder, die freigeben dürfen: Freigeber, Administratoren oder Inhaber.',
    ordered_anew: () =>
      'Die Kampagne wurde inzwischen zurückgenommen und neu eingereicht. Sehen Sie sie sich noch einmal an.',
    paused: () =>
      'Die Kampagne wurde inzwischen aus einem anderen Grund pausiert. Sehen Sie sie sich noch einmal an.',
    marketing: () =>
      'Diese Vorlage stammt aus einer Marketing-Mail der Galerie und kann nicht als transaktional markiert werden.',
    automation: () => 'Das ist eine Automation und keine einmalige Kampagne.',
    no_match: () => 'Dazu gibt es keine passende Vorlage. Beschreiben Sie es anders.',
    one_line: () => 'Hier ist nur eine Zeile Text möglich.',
    one_short_line: ({ limit }) =>
      `Hier ist eine Zeile mit höchstens ${String(limit)} Zeichen möglich.`,
    one_of: () => 'Hier passt nur eine von mehreren Angaben. Lassen Sie die anderen weg.',
    no_web_address: () => 'Geben Sie eine Webadresse an, zum Beispiel https://beispiel.de.',
    no_moment: () => 'Geben Sie ein Datum mit Uhrzeit an, das es gibt.',
    no_day: () => 'Geben Sie einen Tag an, den es gibt.',
    no_time: () => 'Geben Sie eine Uhrzeit an, zum Beispiel 09:00.',
    no_month: () => 'Geben Sie einen Monat an, der nicht in der Zukunft liegt.',
    no_number: () => 'Geben Sie eine ganze Zahl an.',
    number_between: ({ minimum, maximum }) =>
      `Geben Sie eine ganze Zahl von ${String(minimum)} bis ${String(maximum)} an.`,
    no_language: () => 'Wählen Sie eine Sprache, zum Beispiel de oder pt-BR.',
    no_time_zone: () => 'Wählen Sie eine Zeitzone, zum Beispiel Europe/Berlin.',
    no_colour: () =>
      'Geben Sie eine Farbe als # mit sechs Ziffern oder Buchstaben an, zum Beispiel #4338ca.',
    no_email: () => 'Das ist keine E-Mail-Adresse. Sie sieht so aus: anna@beispiel.de.',
    no_phone: () =>
      'Das ist keine gültige Telefonnummer. Schreiben Sie sie mit Ländervorwahl, zum Beispiel +49 1512 3456789.',
    no_sms_sender: () =>
      'Als SMS-Absender geht eine Nummer mit Ländervorwahl, eine Kurzwahl oder ein Name aus höchstens elf Buchstaben und Ziffern.',
    no_sms_sender_set: () =>
      'Für SMS fehlt noch ein Absender. Ein Inhaber trägt ihn in den Einstellungen ein.',
    no_sms: () => 'SMS sind in diesem Dienst nicht eingerichtet.',
    no_network: ({ text }) =>
      `„${String(text)}“ ist kein Netz. Schreiben Sie 203.0.113.0/24 oder eine einzelne Adresse.`,
    no_picture: () =>
      'Das Bild konnte nicht gelesen werden. Laden Sie eine Datei als PNG, JPEG, GIF oder WebP hoch.',
    no_domain_name: () => 'Geben Sie nur den Namen der Domain an, zum Beispiel mail.beispiel.de.',
    public_suffix: () =>
      'Unter diesem Namen kann jeder eine Domain anmelden. Geben Sie eine an, die Ihnen gehört.',
    recipients_deleted: () =>
      'Wer diese Kampagne erhalten hat, wurde gemäß der Aufbewahrungsdauer gelöscht. Die Summen sind noch da.',
    nothing_changed: () => 'Es wurde nichts angegeben, das sich ändern soll.',
    wrong_business_name: ({ limit }) =>
      `Ein Unternehmen hat einen Namen mit 1 bis ${String(limit)} Zeichen.`,
    too_many_owned: ({ limit }) =>
      `Eine Person kann höchstens ${String(limit)} Unternehmen besitzen. Wer den Dienst betreibt, kann mehr anlegen.`,
    last_owner: () =>
      'Ein Unternehmen braucht mindestens einen Inhaber. Machen Sie zuerst jemand anderen dazu.',
    sender_name: () =>
      'Der Name des Absenders darf weder < noch > noch Anführungszeichen enthalten.',
    limit_of_two_people: () =>
      'Solange eine zweite Person freigeben muss, braucht es hier eine Zahl. 0 heißt: Jede Kampagne wartet auf sie.',
    form_of_archive: () => 'Wählen Sie ein Formular dieses Unternehmens.',
    postal_address_too_long: ({ lines, limit }) =>
      `Die Postanschrift hat höchstens ${String(lines)} Zeilen und ${String(limit)} Zeichen.`,
    no_postal_address_text: () =>
      'Geben Sie eine Anschrift an, an der Post ankommt: Straße, Ort und Land, ohne < und >.',
    site_unreachable: () => 'Diese Seite konnte nicht gelesen werden. Prüfen Sie die Adresse.',
    for_some_in_brand: () =>
      'Hier sind keine Bausteine nur für einen Teil der Empfänger möglich: Sie stehen in jeder Mail.',
    locked_by_brand: () =>
      'Das ist durch die Marke festgelegt. Ein Inhaber kann es dort freigeben.',
    blocks_too_long: () => 'Das ist zusammen zu lang. Kürzen Sie die Texte.',
    too_many_blocks: ({ limit }) =>
      `Eine Mail hat höchstens ${String(limit)} Bausteine, die in Spalten mitgezählt.`,
    too_many_filters: ({ limit }) =>
      `Das ist eine Bedingung zu viel: Eine Mail hat höchstens ${String(limit)} verschiedene.`,
    columns_in_columns: () => 'Spalten können keine weiteren Spalten enthalten.',
    button_without_link: () =>
      'Dem Button fehlt die Adresse, zu der er führt. Geben Sie sie an, oder löschen Sie den Button.',
    picture_without_text: () => 'Beschreiben Sie das Bild in Worten, für alle, die es nicht sehen.',
    subject_missing: () => 'Der Betreff fehlt.',
    subject_too_long: () => 'Der Betreff ist mit den eingesetzten Angaben zu lang.',
    content_missing: () => 'Der Inhalt fehlt.',
    empty_text: () => 'Der Text ist leer.',
    too_many_segments_of_text: ({ limit }) =>
      `Die SMS ist zu lang: Höchstens ${String(limit)} Teile sind möglich. Kürzen Sie sie, oder lassen Sie Emojis weg.`,
    unseen_characters: () => 'Der Text enthält ein unsichtbares Zeichen. Löschen Sie es.',
    unreadable_text: () => 'Der Text enthält Zeichen, die nicht gespeichert werden können.',
    unknown_words: () => 'Für einen Platzhalter gibt es keinen Wert. Geben Sie einen Ersatz an.',
    template_fault: ({ fault }) =>
      `Im Inhalt ist ein Fehler. Der Dienst meldet: „${String(fault)}“`,
    template_too_heavy: () =>
      'Der Inhalt braucht zu viel Rechenzeit. Suchen Sie nach langen Schleifen oder sehr vielen Stilregeln.',
    only_email: () => 'Das gibt es nur für E-Mails.',
    other_name: () => 'Das ist nicht der Name des Unternehmens.',
    restart_needed: () =>
      'Der Dienst muss erst neu gestartet werden. Bitten Sie, wer ihn betreibt.',
    other_channel: () => 'Der Kanal passt nicht: E-Mail und SMS haben eigene Vorlagen.',
    not_in_gallery: () => 'Das gibt es in der Galerie nicht.',
    gallery_for_new: () => 'Mit der Galerie beginnt man eine neue Vorlage. Diese gibt es schon.',
    wrong_key: ({ limit }) =>
      `Ein Schlüssel hat 1 bis ${String(limit)} Kleinbuchstaben, Ziffern, - und _.`,
    key_taken: () => 'Diesen Schlüssel gibt es schon. Wählen Sie einen anderen.',
    language_twice: () => 'Diese Sprache gibt es hier schon.',
    no_translation: () => 'In dieser Sprache gibt es den Inhalt nicht.',
    same_variant: () => 'Diese Variante ist wie die Kampagne selbst. Ändern Sie etwas.',
    no_such_variant: () => 'Diese Variante gibt es nicht.',
    no_winner_now: () => 'Jetzt lässt sich kein Gewinner wählen.',
    archive_of_texts: () => 'Nur E-Mails können ins Archiv.',
    opens_of_texts: () => 'Bei SMS weiß niemand, wer sie gelesen hat.',
    opens_unknown: () =>
      'In diesem Unternehmen werden keine Öffnungen erfasst. Darum weiß niemand, wer nicht geöffnet hat.',
    not_stopped: () => 'Pausieren Sie die Kampagne zuerst, oder brechen Sie sie ab.',
    sent_to_nobody: () =>
      'Die Kampagne hat noch niemanden erreicht. Darum kann niemand sie noch einmal bekommen.',
    only_with_approval: () => 'Das Limit lässt sich nur zusammen mit einer Freigabe anheben.',
    nobody_chosen: () => 'Wählen Sie zuerst, wer gemeint ist.',
    too_many_chosen: ({ limit }) =>
      `Das sind zu viele auf einmal: Höchstens ${String(limit)} sind möglich.`,
    test_to_members: () =>
      'Ein Test geht nur an Mitglieder dieses Unternehmens, an die Adresse ihrer Anmeldung.',
    member_without_number: () =>
      'Für einen Test per SMS braucht es einen Kontakt mit Ihrer E-Mail-Adresse und Ihrer Telefonnummer.',
    gates_closed: () => 'Es wurde nichts gesendet: Etwas steht noch offen. Die Prüfung zeigt, was.',
    not_in_this_state: () => 'Das ist in diesem Zustand nicht möglich. Laden Sie die Seite neu.',
    nothing_waits: () => 'Darauf wartet nichts mehr.',
    moment_past: () => 'Dieser Zeitpunkt ist schon vorbei. Wählen Sie einen späteren.',
    moment_too_far: ({ limit }) =>
      `Ein Versand lässt sich höchstens ${String(limit)} Tage im Voraus planen.`,
    past_moment: () => 'Dieser Zeitpunkt muss in der Zukunft liegen.',
    past_day: () => 'Dieser Tag darf nicht in der Zukunft liegen.',
    period_reversed: () => 'Der Anfang liegt nach dem Ende.',
    period_too_long: ({ limit }) =>
      `Der Zeitraum ist zu lang: Höchstens ${String(limit)} Tage sind möglich.`,
    same_campaign_twice: () => 'Wählen Sie zwei verschiedene Kampagnen.',
    not_saved: () => 'Der Kontakt konnte nicht gespeichert werden.',
    same_contact: () => 'Das ist derselbe Kontakt. Wählen Sie zwei verschiedene.',
    no_address: () => 'Dafür fehlt diesem Kontakt die E-Mail-Adresse oder Telefonnummer.',
    email_or_phone: () => 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer an.',
    no_consent: () => 'Diese Person hat Marketing nicht zugestimmt, oder nicht zu diesem Thema.',
    no_tag: () => 'Geben Sie mindestens einen Tag an.',
    tag_added_and_removed: () => 'Ein Tag kann nicht zugleich hinzukommen und wegfallen.',
    too_many_taggings: ({ limit }) =>
      `Es laufen schon ${String(limit)} Änderungen von Tags. Warten Sie, bis eine fertig ist.`,
    too_many_topics: ({ limit }) =>
      `Höchstens ${String(limit)} Themen sind möglich. Archivieren Sie zuerst eines.`,
    archived_topic: () => 'Dieses Thema ist archiviert.',
    topic_in_use: () => 'Dieses Thema wird noch verwendet. Archivieren Sie es danach.',
    list_changed: () => 'Die Liste ist veraltet. Laden Sie die Seite neu.',
    filter_too_long: () => 'Der Filter ist zu lang. Verwenden Sie weniger Werte.',
    utm_without_source: () =>
      'Geben Sie auch utm_source an: Ohne sie beachtet die Webanalyse die anderen Werte nicht.',
    answers_too_long: ({ limit }) =>
      `Die Antworten sind zusammen zu lang: Höchstens ${String(limit)} Zeichen sind möglich.`,
    too_many_to_copy: ({ limit }) =>
      `Es lassen sich höchstens ${String(limit)} auf einmal kopieren.`,
    form_not_published: () => 'Nur ein veröffentlichtes Formular nimmt Antworten an.',
    form_without_address: () =>
      'Das Formular fragt weder nach E-Mail-Adresse noch nach Telefonnummer.',
    form_too_large: () => 'Die Felder sind zusammen zu groß. Kürzen Sie die Auswahlmöglichkeiten.',
    page_too_large: () => 'Die Seite ist zu groß. Kürzen Sie die Texte.',
    field_without_options: () => 'Diese Art von Feld hat keine Auswahlmöglichkeiten.',
    options_missing: () => 'Geben Sie an, was zur Auswahl steht.',
    comma_in_option: () => 'Eine Auswahlmöglichkeit darf kein Komma enthalten.',
    only_consent_fields: () => 'Das gibt es nur bei Feldern für die Einwilligung.',
    consent_without_address: () =>
      'Zu dieser Einwilligung gehört ein Feld für die Adresse oder Telefonnummer.',
    consent_twice: () => 'Für diesen Kanal gibt es schon ein Feld für die Einwilligung.',
    topics_twice: () => 'Ein Formular kann die Themen nur einmal anbieten.',
    topics_without_consent: () => 'Zu den Themen gehört ein Feld für die Einwilligung per E-Mail.',
    picture_in_brand: () =>
      'Dieses Bild gehört zur Marke. Ein Inhaber nimmt es dort zuerst heraus.',
    picture_deleted: () => 'Das Bild wurde inzwischen gelöscht. Laden Sie es noch einmal hoch.',
    no_room_for_pictures: () => 'Für weitere Bilder ist kein Platz. Löschen Sie zuerst einige.',
    picture_too_large: ({ limit }) =>
      `Das Bild ist zu groß: Höchstens ${Math.floor(Number(limit) / 1_000_000)} MB sind möglich.`,
    picture_corrupt: () =>
      'Das Bild ist beschädigt. Speichern Sie es neu, und laden Sie diese Datei hoch.',
    picture_too_many_pixels: () => 'Das Bild hat zu viele Pixel. Nehmen Sie ein kleineres.',
    picture_too_many_frames: ({ limit }) =>
      `Die Animation ist zu lang: Höchstens ${String(limit)} Einzelbilder sind möglich.`,
    picture_takes_long: () => 'Das Bild braucht zu lange. Nehmen Sie ein kleineres.',
    unreadable_file: () =>
      'Diese Datei lässt sich nicht lesen. Exportieren Sie sie neu, als CSV mit einer Zeile je Person.',
    file_too_large: () => 'Die Datei ist größer als 1 GB. Teilen Sie sie auf.',
    pasted_too_large: () => 'Der Text ist größer als 1 MB. Laden Sie ihn als Datei hoch.',
    other_file: () =>
      'Zu diesem Import kam schon eine andere Datei, oder er ist beendet. Beginnen Sie einen neuen.',
    too_many_imports: ({ limit }) =>
      `Es sind schon ${String(limit)} Importe offen. Beenden oder verwerfen Sie zuerst einen.`,
    import_over: () => 'Dieser Import ist schon beendet.',
    import_not_ready: () => 'Dieser Import kann gerade nicht starten. Laden Sie die Seite neu.',
    import_not_running: () => 'Nur ein laufender Import lässt sich anhalten.',
    import_not_over: () =>
      'Nur ein beendeter Import lässt sich rückgängig machen. Brechen Sie ihn zuerst ab.',
    encoding_is_known: ({ encoding }) =>
      `Die Datei ist erkennbar in ${String(encoding)} geschrieben.`,
    encoding_to_confirm: ({ encoding }) =>
      `Die Datei wurde als ${String(encoding)} gelesen. Sehen Sie sich Umlaute und Akzente an, und bestätigen Sie das.`,
    no_such_column: () => 'Diese Spalte gibt es in der Datei nicht.',
    no_target: () => 'Dazu kann eine Spalte nicht werden.',
    column_twice: ({ target }) =>
      `Zwei Spalten werden dasselbe (${String(target)}). Ändern Sie eine davon.`,
    no_identifying_column: () =>
      'Keine Spalte wird E-Mail-Adresse oder Telefonnummer. Eine davon zeigt, wer die Person ist.',
    misquoted: () => 'In dieser Zeile ist ein Anführungszeichen falsch gesetzt.',
    too_many_cells: () =>
      'Diese Zeile hat mehr Zellen als die Datei Spalten. Eine Zelle mit dem Trennzeichen braucht Anführungszeichen.',
    too_many_attributes: ({ limit }) =>
      `Ein Kontakt hat höchstens ${String(limit)} eigene Felder. Lassen Sie Spalten weg.`,
    unknown_status: () => 'Dieser Status ist unbekannt.',
    may_be_written_to: () => 'In dieser Zeile steht, dass die Person angeschrieben werden darf.',
    row_without_address: () => 'In dieser Zeile steht keine Adresse.',
    too_many_keys: ({ limit }) =>
      `Höchstens ${String(limit)} API-Schlüssel sind möglich. Widerrufen Sie zuerst einen.`,
    key_shown_before: () =>
      'Dieser Schlüssel wurde schon einmal gezeigt. Widerrufen Sie ihn, und erstellen Sie einen neuen.',
    nothing_withheld: () =>
      'Hier gibt es nichts zurückzugeben: Mehr war nie erlaubt. Verbinden Sie die App neu, und wählen Sie dort mehr.',
    business_out_of_reach: () => 'Auf eines dieser Unternehmen hat die Verbindung keinen Zugriff.',
    takes_data_out: () => 'Dabei verlassen Daten den Dienst. Das darf nur eine Person in der App.',
    call_repeated: () =>
      'Das wurde schon einmal mit anderen Angaben gesendet. Laden Sie die Seite neu.',
    local_domain: () =>
      'Dieser Dienst hat keine öffentliche Adresse und kann von einer Domain nicht senden.',
    volume_waits: () => 'Eine frühere Angabe wartet noch auf die Antwort des Betreibers.',
    foreign_sender: ({ domain }) =>
      `${String(domain)} ist keine Domain dieses Unternehmens. Fügen Sie sie unter Domains hinzu.`,
    no_domain: () =>
      'Zum Senden fehlt eine verifizierte Domain. Fügen Sie eine hinzu, und tragen Sie ihre DNS-Einträge ein.',
    dkim_missing: ({ domain }) =>
      `Der DKIM-Eintrag von ${String(domain)} fehlt. Marketing wartet, bis er wieder da ist.`,
    records_missing: ({ domain, records }) =>
      `Für Marketing von ${String(domain)} fehlen noch DNS-Einträge: ${String(records)}.`,
    no_postal_address: () =>
      'Für Marketing fehlt die Postanschrift. Ein Inhaber trägt sie in den Einstellungen ein.',
    steps_only_wait: () =>
      'Die Schritte warten nur. Fügen Sie einen hinzu, der etwas sendet oder ändert.',
    too_many_steps: ({ limit }) =>
      `Eine Automation hat höchstens ${String(limit)} Schritte, die in Zweigen mitgezählt.`,
    step_without_mail: () => 'Hier wird auf eine Mail gewartet, die kein Schritt davor sendet.',
    branch_without_condition: () =>
      'Diesem Zweig fehlt die Bedingung. Nur der letzte ist für alle anderen.',
    hours_reversed: () => 'Das Ende muss nach dem Anfang liegen, am selben Tag.',
    duration_too_long: ({ limit }) =>
      `Geben Sie eine Dauer zwischen 1 Minute und ${String(limit)} Tagen an.`,
    topic_missing: () => 'Wählen Sie ein Thema.',
    form_missing: () => 'Wählen Sie ein Formular.',
    segment_missing: () => 'Wählen Sie ein Segment.',
    template_missing: () => 'Wählen Sie eine Vorlage.',
    text_in_step: () => 'Das ist eine SMS. Wählen Sie sie in einem Schritt, der SMS sendet.',
    mail_in_step: () => 'Das ist eine E-Mail. Wählen Sie sie in einem Schritt, der E-Mails sendet.',
    member_missing: () => 'Dieses Mitglied gibt es nicht mehr. Wählen Sie ein anderes.',
    webhook_missing: () => 'Diesen Webhook gibt es nicht mehr. Wählen Sie einen anderen.',
    event_not_named: () =>
      'Dieser Webhook abonniert das Ereignis sequence.notified nicht. Fügen Sie es ihm hinzu.',
    tier_without_texts: () => 'Der Tarif dieses Unternehmens hat keine SMS.',
    capped: () =>
      'Diese Person hat so viel Marketing bekommen, wie sie oder das Unternehmen erlaubt.',
    marketing_mail: () =>
      'Diese Mail ist Marketing und kann nicht als transaktional gesendet werden.',
    feed_block: () => 'Die E-Mail eines Feeds hat genau einen Block für die Beiträge.',
    too_many_feeds: ({ limit }) =>
      `Höchstens ${String(limit)} Feeds sind möglich. Löschen Sie zuerst einen.`,
    too_many_automations: ({ limit }) =>
      `Höchstens ${String(limit)} Automationen sind möglich. Löschen Sie zuerst eine.`,
    one_delivery: () =>
      'Das wählt unter vielen Ereignissen. Geben Sie dazu einen Webhook an und keine einzelne Zustellung.',
    until_before_since: () => 'Das Ende muss nach dem Anfang liegen.',
    not_named: () => 'Dieser Webhook abonniert diesen Ereignistyp nicht.',
    filter_without_events: () =>
      'Kein Ereignis dieses Webhooks hat diese Angabe. Lassen Sie den Filter weg oder wählen Sie andere Ereignisse.',
    attempt_under_way: () =>
      'Ein Versuch dieser Zustellung läuft gerade. Sehen Sie sich zuerst sein Ergebnis an.',
    webhook_paused: () =>
      'Dieser Webhook ist pausiert, es wird nichts an ihn gesendet. Setzen Sie ihn zuerst fort.',
    delivery_over: () => 'Diese Zustellung ist abgeschlossen. Stellen Sie das Ereignis erneut zu.',
    delivery_under_way: () =>
      'Dieses Ereignis ist schon unterwegs. Wiederholen Sie es, wenn alle Versuche vorbei sind.',
    no_inbox: () =>
      'Die E-Mails dieses Unternehmens verlassen den Rechner: Es gibt keinen Posteingang zum Ansehen. Ein Testschlüssel hat einen.',
    no_such_mail: () => 'Diese E-Mail liegt nicht im Posteingang.',
    test_key_webhook: () =>
      'Ein Webhook eines Testschlüssels führt zu dem Rechner, auf dem der Dienst läuft.',
    own_machine: () =>
      'Diese Adresse führt zum Server dieses Dienstes, und der ruft sich nicht selbst auf.',
    no_such_holder: () =>
      'Diesen API-Schlüssel oder dieses Mitglied gibt es hier nicht mehr. Wählen Sie jemand anderen.',
    holder_role: () => 'Nur Administratoren und Inhaber können Webhooks übernehmen.',
    holder_scopes: () =>
      'Diesem Schlüssel fehlen Berechtigungen, die der Webhook braucht. Wählen Sie einen anderen.',
    new_webhook_active: () => 'Ein neuer Webhook ist aktiv. Pausieren Sie ihn danach.',
    part_of_campaign: () =>
      'Diese Nachricht gehört zu einer Kampagne. Brechen Sie die Kampagne ab, oder pausieren Sie sie.',
    attachments_too_large: () =>
      'Die Anhänge sind zusammen zu groß. Senden Sie stattdessen einen Link.',
    wrong_code: () => 'Das ist nicht der Code, den der erste Tab zeigt.',
    other_browser: () => 'Dieser Link wurde in einem anderen Browser angefordert.',
    no_account: () =>
      'Diese Adresse hat hier kein Konto. Bitten Sie einen Inhaber um eine Einladung.',
    bounce: () => 'An diese Adresse wird nichts gesendet: Sie hat nicht funktioniert.',
    complaint: () => 'An diese Adresse wird nichts gesendet: Die Person hat sich beschwert.',
    unsubscribed: () => 'An diese Adresse wird nichts gesendet: Die Person hat sich abgemeldet.',
    manual: () => 'An diese Adresse wird nichts gesendet: Sie wurde gesperrt.',
    wrong_filter: () =>
      'Eine Bedingung des Filters ist unvollständig oder falsch. Sehen Sie sie durch.',
  },
  filter: 'Eine Bedingung des Filters ist unvollständig oder falsch. Sehen Sie sie durch.',
  codes: {
    unauthorized: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an.',
    scope_required: 'Dafür fehlt die Berechtigung.',
    tier_required: 'Der Tarif dieses Unternehmens erlaubt nicht mehr davon.',
    role_required: 'Ihre Rolle in diesem Unternehmen erlaubt das nicht.',
    forbidden_origin: 'Diese Anfrage kam von einer fremden Seite.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    gone: 'Das gibt es nicht mehr.',
    erased: 'Diese Person wurde gelöscht.',
    cursor_expired: 'Die Liste ist veraltet. Laden Sie die Seite neu.',
    unsupported_media_type: 'Dieser Dateityp wird nicht unterstützt.',
    rate_limited: 'Das waren zu viele Anfragen. Versuchen Sie es gleich noch einmal.',
    internal: 'Im Dienst ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.',
    unavailable: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  },
}
