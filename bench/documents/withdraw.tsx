import Big from 'big.js'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { AmountField, CodeField, Form, SelectField, TextField } from '#bench/documents/fields.tsx'
import {
  useApp,
  useCall,
  useConfirm,
  useDraft,
  useFormat,
  useGo,
  useNow,
  useParams,
  useRules,
  useSubmit,
  useText,
  useToast,
} from '#bench/documents/hooks.ts'
import { Countdown, Empty, Facts, LinkButton, Loaded, Meter, Notice, Page, Row, Segmented } from '#bench/documents/kit.tsx'
import { walletWithdrawFee } from '#contract/functions/wallet.withdrawFee.function.ts'
import { walletWithdrawReceived } from '#contract/functions/wallet.withdrawReceived.function.ts'
import { parseAmount } from '#contract/money.ts'

const channels = ['address', 'bank', 'bank_international'] as const
const defaultValues = { address_id: '', amount: '', pay_password: '', code: '', totp: '' }

export function Withdraw() {
  const t = useText()
  const format = useFormat()
  const rules = useRules()
  const confirm = useConfirm()
  const toast = useToast()
  const go = useGo()
  const now = useNow()
  const { call } = useApp()
  const { currency_id = '' } = useParams()
  const [channel, setChannel] = useState<(typeof channels)[number]>('address')
  const isChain = channel === 'address'
  const form = useForm({ defaultValues, mode: 'onTouched' })
  useDraft('fund.withdraw', form, ['address_id', 'amount'])
  const [address_id, amount] = form.watch(['address_id', 'amount'])
  const account = useCall('wallet.getWithdrawInfo', { currency_id })
  const addresses = useCall('wallet.getAddressList', isChain && { currency_id, size: '100' })
  const address = addresses.data?.list.find(({ id }) => String(id) === address_id)
  const infoArgs = { currency_id, channel, chain: isChain ? address?.chain : undefined }
  const info = useCall('wallet.getWithdrawInfo', infoArgs, { live: 'balance' })

  const { data } = info
  const coin = data?.currency_code ?? ''
  const money = (text: string | undefined) => (text === undefined ? '–' : `${format.amount(text)} ${coin}`)
  const isAmount = parseAmount(amount) !== undefined
  const fee = data && walletWithdrawFee.run({ amount: isAmount ? amount : '0', ...data })
  const received = fee && isAmount ? walletWithdrawReceived.run({ amount, fee }) : undefined
  const waits = address !== undefined && now < address.usable_from
  const cardPage = channel === 'bank' ? 'pages/setting/bank' : 'pages/setting/bank_international'

  const { submit, isBusy } = useSubmit(
    form,
    {
      insufficient_balance: { field: 'amount', refresh: [info] },
      amount_wrong: { field: 'amount' },
      amount_too_small: { field: 'amount' },
      withdraw_limit: { field: 'amount', refresh: [info] },
      order_limit: { field: 'amount' },
      fee_changed: { toast: true, refresh: [info] },
      address_on_hold: { field: 'address_id', refresh: [addresses] },
      address_unknown: { field: 'address_id', refresh: [addresses] },
      card_missing: { toast: true, refresh: [info] },
      withdraw_on_hold: { toast: true, refresh: [account] },
      price_stale: { toast: true, refresh: [info] },
      pay_password_missing: { toast: true, go: 'pages/setting/payPassword' },
      pay_password_wrong: { field: 'pay_password' },
      second_factor_required: { toast: true, refresh: [account] },
      second_factor_wrong: { field: 'totp' },
      code_wrong: { field: 'code' },
      code_void: { field: 'code' },
    },
    async ({ address_id, totp, ...entries }, send) => {
      const to = isChain
        ? t('funding.place', { context: address?.tag ? '' : 'bare', address: address?.address, tag: address?.tag })
        : (data?.card ?? '')
      const agreed = await confirm({
        title: t('funding.confirm_title'),
        text: t('funding.confirm_text'),
        rows: [
          isChain
            ? [t('funding.network'), `${address?.name} · ${address?.chain}`]
            : [t('funding.channel'), t('funding.channel', { context: channel })],
          [t('funding.to', { context: 'withdraw' }), to],
          [t('funding.amount'), money(entries.amount)],
          [t('funding.fee'), money(fee)],
          [t('funding.received'), money(received)],
        ],
        ok: t('funding.confirm_ok'),
        staleAfterMs: 120_000,
      })
      if (!agreed) return false
      await send('wallet.withdraw', {
        ...entries,
        currency_id,
        channel,
        fee,
        address_id: isChain ? address_id : undefined,
        totp: account.data?.needs_totp ? totp : undefined,
      })
      toast(t('funding.withdraw_done'), 'success')
      go('pages/fund/receive_withdraw_record', { type: 'withdraw' }, { replace: true })
    },
  )

  return (
    <Page
      screen="fund.withdraw"
      title={t('funding.withdraw_title', { coin })}
      actions={
        <LinkButton
          id="records"
          label={t('funding.records')}
          tone="quiet"
          icon="history"
          hideLabel
          to="pages/fund/receive_withdraw_record"
          params={{ type: 'withdraw' }}
        />
      }
    >
      <Segmented
        id="channels"
        label={t('funding.channels')}
        value={channel}
        options={channels.map((id) => ({ id, label: t(`funding.by_${id}`) }))}
        onChange={setChannel}
      />
      <Loaded of={account}>
        {({ verified, hold_until, needs_pay_password, needs_totp, code_by, code_to }) => {
          const isHeld = hold_until !== null && now < hold_until
          const isReady = verified && !isHeld && needs_pay_password && code_by !== 'none'
          return (
            <>
              {!verified && (
                <Notice
                  id="unverified-notice"
                  text={t('funding.need_level')}
                  action={{ id: 'unverified-go', label: t('funding.need_level_go'), to: 'pages/setting/real_mark' }}
                />
              )}
              {verified && isHeld && (
                <Notice id="held-notice" text={t('funding.hold_why')}>
                  <Countdown id="held-left" to={hold_until} label={t('funding.hold_left')} onDone={account.refresh} />
                </Notice>
              )}
              {verified && !needs_pay_password && (
                <Notice
                  id="no-password-notice"
                  text={t('funding.need_pay')}
                  action={{ id: 'no-password-go', label: t('funding.need_pay_go'), to: 'pages/setting/payPassword' }}
                />
              )}
              {verified && code_by === 'none' && (
                <Notice
                  id="no-contact-notice"
                  text={t('funding.need_contact')}
                  action={{ id: 'no-contact-go', label: t('funding.need_contact_go'), to: 'pages/setting/bind_email' }}
                />
              )}
              {isReady && isChain && addresses.data?.list.length === 0 && (
                <Empty
                  id="no-address"
                  icon="wallet"
                  title={t('funding.no_address')}
                  text={t('funding.no_address_text')}
                  action={t('funding.address_add')}
                  to="pages/setting/addWallet"
                  params={{ currency_id }}
                />
              )}
              {isReady && !isChain && data?.channel === channel && data.card === '' && (
                <Empty
                  id="no-card"
                  icon="landmark"
                  title={t('funding.no_card')}
                  text={t('funding.no_card_text')}
                  action={t('funding.card_add')}
                  to={cardPage}
                />
              )}
              {isReady && (isChain ? addresses.data?.list.length !== 0 : !(data?.channel === channel && data.card === '')) && (
                <Loaded of={info}>
                  {(info) => (
                    <Form
                      id="form"
                      form={form}
                      submit={submit}
                      isBusy={isBusy}
                      label={t('funding.withdraw_submit')}
                      before={
                        <>
                          <Meter
                            id="limit"
                            label={t('funding.limit_used')}
                            value={t('funding.limit_left', { left: format.amount(info.left_btc), limit: format.amount(info.limit_btc) })}
                            ratio={Number(info.left_btc) / Math.max(Number(info.limit_btc), 0.00000001)}
                            tone={new Big(info.used_btc).times(10).gte(new Big(info.limit_btc).times(9)) ? 'warn' : 'accent'}
                          />
                          <Facts
                            id="facts"
                            rows={[
                              { label: t('funding.available'), value: money(info.available) },
                              { label: t('funding.min_out'), value: money(info.min) },
                              { label: t('funding.max_out'), value: money(info.max) },
                            ]}
                          />
                          {!isChain && info.order_limit_usd !== null && (
                            <Facts
                              id="order-limit"
                              rows={[{ label: t('funding.order_limit'), value: `${format.amount(info.order_limit_usd)} USD` }]}
                            />
                          )}
                          {!isChain && info.channel === channel && (
                            <Row
                              id="card"
                              icon="landmark"
                              title={t('funding.card_to', { context: channel })}
                              value={info.card}
                              to={cardPage}
                            />
                          )}
                          {isChain && waits && (
                            <Countdown id="wait" to={address.usable_from} label={t('funding.address_wait')} onDone={addresses.refresh} />
                          )}
                        </>
                      }
                      foot={
                        <Facts
                          id="sum"
                          rows={[
                            { label: t('funding.amount'), value: isAmount ? money(amount) : '–' },
                            { label: t('funding.fee'), value: money(isAmount ? fee : info.fee) },
                            { label: t('funding.received'), value: money(received), tone: 'accent', strong: true },
                          ]}
                        />
                      }
                      after={
                        isChain && (
                          <LinkButton
                            id="manage"
                            label={t('funding.address_manage')}
                            tone="quiet"
                            block
                            icon="wallet"
                            to="pages/setting/wallet"
                          />
                        )
                      }
                    >
                      {isChain && (
                        <SelectField
                          name="address_id"
                          label={t('funding.to', { context: 'withdraw' })}
                          hint={address && [address.chain, address.address, address.tag].filter(Boolean).join(' · ')}
                          options={(addresses.data?.list ?? []).map(({ id, name, address }) => ({ id, label: name, note: address }))}
                          placeholder={t('funding.address_pick')}
                          rules={[() => !waits || t('funding.address_waits', { date: format.dateTime(address.usable_from) })]}
                        />
                      )}
                      <AmountField
                        name="amount"
                        label={t('funding.withdraw_amount')}
                        hint={t('funding.withdraw_amount_hint')}
                        rules={[
                          rules.amount,
                          rules.within(info.available),
                          rules.atLeast(info.min, coin),
                          (value) => new Big(value).gt(fee ?? 0) || t('funding.only_fee'),
                          (value) =>
                            info.max === '0' ||
                            new Big(value).lte(info.max) ||
                            t('funding.over_limit', { max: format.amount(info.max), coin }),
                        ]}
                        scale={info.scale}
                        unit={coin}
                        max={info.max}
                      />
                      <TextField type="password" name="pay_password" label={t('funding.pay_password')} />
                      <CodeField
                        name="code"
                        label={t('account.code')}
                        hint={t('funding.code_to', { target: code_to })}
                        rules={[rules.code]}
                        onSend={() => call(code_by === 'mail' ? 'auth.smsMail' : 'auth.smsSend', { scene: 'withdraw' })}
                      />
                      {needs_totp && (
                        <TextField
                          name="totp"
                          label={t('account.login_second')}
                          hint={t('account.login_second_hint')}
                          maxLength={40}
                          autoComplete="one-time-code"
                        />
                      )}
                    </Form>
                  )}
                </Loaded>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
