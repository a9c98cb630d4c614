import { useCall, useFormat, useNow, useText } from '#bench/documents/hooks.ts'
import { Callout, Countdown, Loaded, Page, Row, Section } from '#bench/documents/kit.tsx'

export function Security() {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const account = useCall('user.info', {}, { keepMs: 5_000 })
  return (
    <Page screen="setting.security" title={t('account.security_title')}>
      <Loaded of={account}>
        {(info) => (
          <>
            {info.withdraw_hold_until !== null && (
              <Callout id="hold" tone="warn" text={t('account.security_hold', { date: format.date(info.withdraw_hold_until) })} />
            )}
            {info.withdraw_hold_until !== null && now < info.withdraw_hold_until && (
              <Countdown id="hold-left" to={info.withdraw_hold_until} label={t('funding.hold_left')} onDone={account.refresh} />
            )}
            <Section title={t('account.security_access')}>
              <Row
                id="password"
                icon="lock"
                title={t('account.security_password')}
                note={t('account.security_password_note')}
                to="pages/setting/password"
              />
              <Row
                id="pay"
                icon="key-round"
                title={t('account.security_pay')}
                note={t('account.security_pay_note')}
                value={t('account.security_state', { context: info.has_pay_password ? 'set' : 'unset' })}
                to="pages/setting/payPassword"
              />
              <Row
                id="second"
                icon="smartphone"
                title={t('account.security_second')}
                note={t('account.security_second_note')}
                value={t('account.security_state', { context: info.totp ? 'on' : 'off' })}
                to="pages/setting/second_factor"
              />
              <Row
                id="sessions"
                icon="monitor"
                title={t('account.security_sessions')}
                note={t('account.security_sessions_note')}
                to="pages/setting/sessions"
              />
            </Section>
            <Section title={t('account.security_contacts')}>
              <Row
                id="email"
                icon="mail"
                title={t('account.security_email')}
                value={info.has_email ? info.email : t('account.security_bind')}
                to="pages/setting/bind_email"
              />
              <Row
                id="mobile"
                icon="phone"
                title={t('account.security_mobile')}
                value={info.has_mobile ? info.mobile : t('account.security_bind')}
                to="pages/setting/bind_mobile"
              />
            </Section>
            <Section title={t('identity.title')}>
              <Row
                id="identity"
                icon="id-card"
                title={t('identity.proved')}
                value={t('identity.proved_level', { context: String(info.level) })}
                to="pages/setting/real"
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
