from tapeline import Tapeline

with Tapeline() as tapeline:
    limits = tapeline.limits.read()
    for window in limits["windows"]:
        print(window["scope"], window["policy"], window["used"], "of", window["limit"])
    print("the month ends at", limits["month"]["to"])
