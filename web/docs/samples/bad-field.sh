curl -s "$TAPELINE_URL/api/v1/trades/list" \
  -H "Authorization: Bearer $TAPELINE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"symbols":["BTC-USDT"],"limit":0}'
