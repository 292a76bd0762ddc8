import type { refusals as english } from '../en/refusals.ts'

export const refusals: typeof english = {
  reasons: {
    unknown_field: () => 'Dieses Feld ist hier nicht bekannt.',
    missing: () => 'Diese Angabe fehlt.',
    not_a_choice: ({ allowed }) => `Möglich ist nur: ${String(allowed)}.`,
    wrong_form: () => 'Diese Angabe hat nicht die richtige Form.',
    wrong_type: () => 'Diese Angabe hat nicht die richtige Art.',
    empty: () => 'Diese Angabe darf nicht leer sein.',
    too_short: ({ limit }) => `Mindestens ${String(limit)} Zeichen.`,
    too_long: ({ limit }) => `Höchstens ${String(limit)} Zeichen.`,
    too_few: ({ limit }) => `Mindestens ${String(limit)} Einträge.`,
    too_many: ({ limit }) => `Höchstens ${String(limit)} Einträge.`,
    below_minimum: ({ limit }) => `Mindestens ${String(limit)}.`,
    above_maximum: ({ limit }) => `Höchstens ${String(limit)}.`,
    address_of_another: () =>
      'Diese Adresse oder Telefonnummer gehört schon zu einem anderen Kontakt.',
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
    approval: () =>
      'In diese Automation sind mehr Personen gekommen, als freigegeben wurden. Eine Person setzt sie in der App fort.',
    drifted: () =>
      'Inhalt, Regel oder Absender haben sich seit der Vorschau geändert. Bitte die Vorschau neu ansehen.',
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
