curl -s "$TAPELINE_URL/api/v1/l2events/book" \
  -H "Authorization: Bearer $TAPELINE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "venue": "sim",
    "symbol": "BTC-USDT",
    "at": "'"$(date -u -d '5 minutes ago' +%FT%TZ)"'",
    "depth": 2
  }'
